import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { newKey, sign, startIssuer } from '../../oidc/src/test/local-issuer.ts'
import { halyard } from './halyard-process.ts'

const issuer = 'http://127.0.0.1:4180'
const redirectUri = 'http://127.0.0.1:9/callback'
const verifier = 'v'.repeat(43)
const audience = 'https://flags.example.com'

it('serve grants an OAuth client access for a person who enters a JSON Web Token', async () => {
  const key = await newKey('a')
  const tokens = await startIssuer(key)
  const running = halyard(['serve', '--port', '0', '--storage', 'memory', '--oauth-issuer', issuer], {
    HALYARD_OIDC_ISSUER: tokens.issuer,
    HALYARD_OIDC_AUDIENCE: audience,
  })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  const [, admin] = await running.printed(/shown only now: (api-[0-9a-f]{64})/)
  const post = async (path: string, body: unknown) =>
    (
      await fetch(`${url}/api/v2${path}`, {
        method: 'POST',
        headers: { authorization: admin as string, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()
  await post('/members', [{ email: 'bea@example.com', role: 'reader' }])
  const { _clientId: clientId } = await post('/oauth/clients', { name: 'App', redirectUri, public: true })

  const description = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()
  expect(description).toMatchObject({ issuer, token_endpoint: `${issuer}/trust/oauth/token` })
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const page = await fetch(`${url}/trust/oauth/authorize?${new URLSearchParams(parameters)}`)
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
  const token = await sign(key, { iss: tokens.issuer, aud: audience, email: 'bea@example.com', email_verified: true })
  const allowed = await fetch(`${url}/trust/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ ...parameters, csrf: cookie.split('=')[1] ?? '', decision: 'allow', token }),
  })
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const issued = await fetch(`${url}/trust/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  const { access_token: access } = await issued.json()
  const projects = await fetch(`${url}/api/v2/projects`, { headers: { authorization: `Bearer ${access}` } })
  expect(projects.status).toBe(200)
})

it('serve has no authorization server without an issuer, and refuses one that is invalid', async () => {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'])
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  expect((await fetch(`${url}/.well-known/oauth-authorization-server`)).status).toBe(404)
  const refused = halyard(['serve', '--port', '0', '--storage', 'memory', '--oauth-issuer', 'http://flags.example.com'])
  await expect(refused.printed(/Halyard serves/)).rejects.toThrow('--oauth-issuer: must be an https URL')
})
