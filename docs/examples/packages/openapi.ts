import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()

// #region page
import { withApiDocs } from '@halyard/openapi'
import { createFetchHandler } from '@halyard/transport-fetch'

export default { fetch: withApiDocs(createFetchHandler(engine)) }
// #endregion
