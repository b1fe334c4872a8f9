import { createServer } from 'node:http'
import { createTestEngine } from '@halyard/testing'
import { createExpressSdk } from '@halyard/transport-express'

// Under Express: app.use('/sdks', createExpressSdk(engine))
const server = createServer(createExpressSdk(await createTestEngine()))
console.log(server.listening) // false
