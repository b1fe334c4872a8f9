// #region postgres
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 })
pool.on('error', (error) => console.error('a connection was lost', error))

const storage = createPostgresStorage({ pool, schema: 'halyard' })
await storage.migrate()
// #endregion

await storage.ping()
console.log(storage.name)
await storage.close()
await pool.end()
