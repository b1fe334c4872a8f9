import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A key of an issuer, and its public part as the issuer publishes it. */
export interface IssuerKey extends KeyPair {
  readonly kid: string
  readonly published: JWK
}

/** Generates a key pair. */
export async function newKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
  const pair = await generateKeyPair(alg, { extractable: true })
  return { ...pair, kid, published: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } }
}

/** An OpenID Connect issuer on this machine, over a real socket. */
export interface LocalIssuer {
  readonly issuer: string
  /** Requests for the configuration and the keys so far. */
  readonly requests: string[]
  /** Replaces the published keys. */
  publish(...keys: readonly IssuerKey[]): void
  /** Makes the issuer respond with 500 to some of its paths. */
  fail(paths: RegExp): void
  /** Closes the socket, so that no request is answered. */
  close(): Promise<void>
}

/** Starts an issuer that publishes its configuration and these keys, until the test ends. */
export async function startIssuer(...keys: readonly IssuerKey[]): Promise<LocalIssuer> {
  let published = keys
  let failing = /^$/
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: published.map((key) => key.published) },
    }
    const status = failing.test(url) ? 500 : url in documents ? 200 : 404
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(documents[url] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return {
    issuer,
    requests,
    publish: (...others) => void (published = others),
    fail: (paths) => void (failing = paths),
    close,
  }
}

/**
 * Signs a token, by default one that is valid for a minute.
 *
 * @param claims claims to add or replace; those that are undefined are left out.
 */
export function sign(key: IssuerKey, claims: JWTPayload, alg = 'ES256'): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = Object.entries({ iat: now, exp: now + 60, ...claims }).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(payload)).setProtectedHeader({ alg, kid: key.kid }).sign(key.privateKey)
}
