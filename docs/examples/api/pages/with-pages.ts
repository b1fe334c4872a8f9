import { servedPages, withPages } from '@halyard/pages'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
const handler = withPages(createFetchHandler(await createTestEngine()), pages)
const response = await handler(new Request('http://localhost/hello'))
console.log(await response.text()) // <title>Hello</title>
