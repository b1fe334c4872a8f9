import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()

// #region pages
import { servedPages, withPages } from '@halyard/pages'
import { createFetchHandler } from '@halyard/transport-fetch'

const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })

export default { fetch: withPages(createFetchHandler(engine), pages) }
// #endregion
