import { createServer } from 'node:http'
import { createExpressApiDocs } from '@halyard/openapi'

// Under Express: app.use(createExpressApiDocs())
const server = createServer(createExpressApiDocs())
console.log(server.listening) // false
