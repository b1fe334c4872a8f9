import { createTestEngine } from '@halyard/testing'
import { createFetchHandler, withHealth } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const handler = withHealth(createFetchHandler(engine), engine)
const response = await handler(new Request('http://localhost/readyz'))
console.log(response.status) // 200
