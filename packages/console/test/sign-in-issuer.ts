import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type IssuerKey, newKey, sign } from '../../oidc/src/test/local-issuer.ts'

export interface SignInIssuer {
  readonly issuer: string
  /** Challenges of the codes that were exchanged. */
  readonly exchanged: string[]
  close(): Promise<void>
}

/** An OpenID Connect issuer that signs the same person in immediately, for clients with a proof key (RFC 7636). */
export async function startSignInIssuer(email: string): Promise<SignInIssuer> {
  const key = await newKey('one')
  const attempts = new Map<string, URLSearchParams>()
  const exchanged: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', issuer)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') json(200, configurationOf(issuer))
    else if (url.pathname === '/keys') json(200, { keys: [key.published] })
    else if (url.pathname === '/authorize') {
      const code = `code-${attempts.size}`
      attempts.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { location: back.href }).end()
    } else
      void exchange(request, attempts, { issuer, key, email, exchanged }).then((body) =>
        json('error' in body ? 400 : 200, body),
      )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    exchanged,
    async close() {
      server.close().closeAllConnections()
    },
  }
}

function configurationOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

interface Person {
  readonly issuer: string
  readonly key: IssuerKey
  readonly email: string
  readonly exchanged: string[]
}

/**
 * Returns the tokens of a code, once, for the client that proves to have begun the sign-in. A client needs no secret.
 */
async function exchange(
  request: AsyncIterable<unknown>,
  attempts: Map<string, URLSearchParams>,
  { issuer, key, email, exchanged }: Person,
) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const form = new URLSearchParams(text)
  if (form.has('client_secret')) return { error: 'invalid_client' }
  const code = form.get('code') ?? ''
  const attempt = attempts.get(code)
  attempts.delete(code)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (attempt?.get('code_challenge') !== challenge) return { error: 'invalid_grant' }
  exchanged.push(challenge)
  const claims = { iss: issuer, aud: attempt.get('client_id') ?? '', sub: 'one', nonce: attempt.get('nonce') ?? '' }
  const token = await sign(key, { ...claims, email, email_verified: true })
  return { access_token: 'unused', token_type: 'Bearer', id_token: token }
}
