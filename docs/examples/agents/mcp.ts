import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()

// #region mcp
import { withMcp } from '@halyard/mcp'
import { createFetchHandler } from '@halyard/transport-fetch'

export default { fetch: withMcp(createFetchHandler(engine), engine) }
// #endregion
