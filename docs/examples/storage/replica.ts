// #region replica
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const replica = new pg.Pool({ connectionString: process.env.REPLICA_URL })
for (const each of [pool, replica]) each.on('error', (error) => console.error('a connection was lost', error))

const storage = createPostgresStorage({ pool, replicas: [replica] })
// #endregion

console.log(storage.name)
await storage.close()
await Promise.all([pool.end(), replica.end()])
