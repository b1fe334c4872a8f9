import { withMcp } from '@halyard/mcp'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const handler = withMcp(createFetchHandler(engine), engine)
const response = await handler(new Request('http://localhost/mcp', { method: 'POST' }))
console.log(response.status) // 401
