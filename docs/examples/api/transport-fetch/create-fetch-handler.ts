import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const handler = createFetchHandler(engine)
const headers = { authorization: engine.admin }
const response = await handler(new Request('http://localhost/api/v2/projects', { headers }))
console.log(response.status) // 200
