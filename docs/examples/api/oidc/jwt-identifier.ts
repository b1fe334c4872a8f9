import { jwtIdentifier } from '@halyard/oidc'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const identify = jwtIdentifier({
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://flags.example.com',
  services: [{ subject: 'repo:acme/shop:ref:refs/heads/main', role: 'writer' }],
})
const handler = createFetchHandler(await createTestEngine(), { identify })
const response = await handler(new Request('http://localhost/api/v2/projects'))
console.log(response.status) // 401
