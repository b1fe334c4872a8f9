import { withConsole } from '@halyard/console'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const handler = withConsole(createFetchHandler(await createTestEngine()))
const response = await handler(new Request('http://localhost/api/v2/projects'))
console.log(response.status) // 401
