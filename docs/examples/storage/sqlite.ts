// #region sqlite
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'

const database = new Database('flags.db')
const storage = createSqliteStorage({ database })
await storage.migrate()
// #endregion

await storage.ping()
console.log(storage.name)
await storage.close()
database.close()
