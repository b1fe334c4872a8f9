import { createServer } from 'node:http'
import { createExpressMcp } from '@halyard/mcp'
import { createTestEngine } from '@halyard/testing'

const server = createServer(createExpressMcp(await createTestEngine()))
console.log(server.listening) // false
