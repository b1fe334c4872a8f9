import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()

// #region handler
import { createFetchHandler } from '@halyard/transport-fetch'

export default { fetch: createFetchHandler(engine) }
// #endregion
