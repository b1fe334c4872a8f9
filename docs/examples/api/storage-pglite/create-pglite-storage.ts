import { createPgliteStorage } from '@halyard/storage-pglite'

// The first use of the storage opens the directory; `memory://` keeps the data in memory.
const storage = createPgliteStorage({ dataDir: './halyard-data' })
console.log(storage.name) // pglite
await storage.close()
