import { createServer } from 'node:http'
import { createTestEngine } from '@halyard/testing'
import { createExpressHealth } from '@halyard/transport-express'

// Under Express: app.use(createExpressHealth(engine))
const server = createServer(createExpressHealth(await createTestEngine()))
console.log(server.listening) // false
