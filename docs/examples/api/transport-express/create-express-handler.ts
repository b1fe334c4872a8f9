import { createServer } from 'node:http'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'

// Under Express: app.use('/features', createExpressHandler(engine))
const server = createServer(createExpressHandler(await createTestEngine()))
console.log(server.listening) // false
