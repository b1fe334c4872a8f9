// #region engine
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
// #endregion
await engine.ready()
await engine.close()
