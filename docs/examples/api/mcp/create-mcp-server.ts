import { createMcpServer } from '@halyard/mcp'
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
const server = createMcpServer(engine, { as: engine.admin })
console.log(typeof server.connect) // function
