import { createServer } from 'node:http'
import { createExpressPages, servedPages } from '@halyard/pages'

const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
// Under Express: app.use(createExpressPages(pages))
const server = createServer(createExpressPages(pages))
console.log(server.listening) // false
