import { createTestEngine } from '@halyard/testing'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const handler = withSdk(createFetchHandler(engine), engine)
const response = await handler(new Request('http://localhost/sdk/latest-all'))
console.log(response.status) // 401
