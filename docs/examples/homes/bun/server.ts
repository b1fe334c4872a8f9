// #region engine
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
// #endregion

// #region serve
export default { port: process.env.PORT ?? 3000, hostname: '127.0.0.1', fetch: createFetchHandler(engine) }
// #endregion
