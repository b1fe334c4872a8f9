import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'

// The first use of the storage connects.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const storage = createPostgresStorage({ pool })
console.log(storage.name) // postgres
await storage.close()
await pool.end()
