import { withApiDocs } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const handler = withApiDocs(createFetchHandler(await createTestEngine()))
const response = await handler(new Request('http://localhost/api/v2/projects'))
console.log(response.status) // 401
