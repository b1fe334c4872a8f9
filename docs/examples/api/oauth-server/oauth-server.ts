import { oauthServer } from '@halyard/oauth-server'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const oauth = oauthServer(engine, { issuer: 'https://flags.example.com' })
const handler = createFetchHandler(engine, { oauth })
const response = await handler(new Request('https://flags.example.com/.well-known/oauth-authorization-server'))
console.log((await response.json()).token_endpoint) // https://flags.example.com/trust/oauth/token
