import { createMcpHandler } from '@halyard/mcp'
import { createTestEngine } from '@halyard/testing'

const handler = createMcpHandler(await createTestEngine())
const response = await handler(new Request('http://localhost/mcp', { method: 'POST' }))
console.log(response.status) // 401
