// #region pglite
import { createPgliteStorage } from '@halyard/storage-pglite'

const storage = createPgliteStorage({ dataDir: './data/halyard' })
await storage.migrate()
// #endregion

await storage.ping()
console.log(storage.name)
await storage.close()
