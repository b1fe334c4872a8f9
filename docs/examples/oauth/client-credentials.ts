import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { oauthServer } from '@halyard/oauth-server'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const as = (await engine.bootstrap())?.token ?? ''
const { api } = engine
const issuer = 'https://flags.example.com'
const handler = createFetchHandler(engine, { oauth: oauthServer(engine, { issuer }) })
const fetch = (url: string, init: RequestInit) => handler(new Request(url, init))

// #region register
const client = await api.createOAuthClient(
  { body: { name: 'Nightly report', redirectUri: 'https://report.example.com/callback', scopes: ['reader'] } },
  { as },
)
const { _clientId: clientId, _clientSecret: clientSecret } = client
// #endregion

// #region token
const response = await fetch('https://flags.example.com/trust/oauth/token', {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
})
const { access_token: token, token_type: type, expires_in: seconds, scope } = await response.json()
console.log(type, seconds, scope)
// #endregion

// #region call
const projects = await fetch('https://flags.example.com/api/v2/projects', {
  headers: { authorization: `Bearer ${token}` },
})
console.log(projects.status)
// #endregion
