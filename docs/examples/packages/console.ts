import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()

// #region page
import { withConsole } from '@halyard/console'
import { createFetchHandler } from '@halyard/transport-fetch'

export default { fetch: withConsole(createFetchHandler(engine)) }
// #endregion
