import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'

const database = new Database('flags.db')
const storage = createSqliteStorage({ database })
console.log(storage.name) // sqlite
await storage.close()
database.close()
