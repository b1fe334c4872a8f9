import { ApiError, type HostIdentity } from '@halyard/core'
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { identityOf } from './identity-of-claims.ts'
import { issuerKeys } from './issuer-keys.ts'
import { type JwtIdentifierOptions, validateOptions } from './jwt-identifier-options.ts'

/** The part of a request that identifiers read: of `Request`, of `node:http` and of Express. */
export interface RequestWithHeaders {
  readonly headers: { get(name: string): string | null } | { readonly authorization?: string | undefined }
}

/** Asymmetric algorithms only: with a symmetric one, everyone who knows a public key could sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Maximum length of a token, characters. */
const maxTokenLength = 16_384

/**
 * Makes the option `identify` of a transport, which names callers by the JSON Web Token in the header `Authorization`:
 * `createFetchHandler(engine, { identify: jwtIdentifier({ issuer, audience }) })`
 * (docs/decisions/0002-decide-access-by-policy.md#d38-callers-of-a-host-application).
 *
 * A token is accepted with a signature by a key of the issuer, the claims `iss`, `aud` and `exp`, and `nbf` where it is
 * present. Any other value of the header is treated as an access token of the engine. The keys are read when the first
 * token arrives, and again when a token has an unknown key; while they cannot be read, the response is 503.
 *
 * @param options issuer, audience, and the meaning of the claims.
 * @throws TypeError naming the option that is invalid.
 *
 * @example
 * ```ts
 * import { jwtIdentifier } from '@halyard/oidc'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const identify = jwtIdentifier({
 *   issuer: 'https://token.actions.githubusercontent.com',
 *   audience: 'https://flags.example.com',
 *   services: [{ subject: 'repo:acme/shop:ref:refs/heads/main', role: 'writer' }],
 * })
 * const handler = createFetchHandler(await createTestEngine(), { identify })
 * const response = await handler(new Request('http://localhost/api/v2/projects'))
 * console.log(response.status) // 401
 * ```
 */
export function jwtIdentifier(
  options: JwtIdentifierOptions,
): (request: RequestWithHeaders) => Promise<HostIdentity | undefined> {
  validateOptions(options)
  const { issuer, audience, clockTolerance = 30 } = options
  const keys = issuerKeys(options)
  const verification = {
    issuer,
    audience: typeof audience === 'string' ? audience : [...audience],
    algorithms,
    clockTolerance,
    requiredClaims: ['exp'],
  }
  return async (request) => {
    const token = tokenOf(request)
    if (token === undefined || issuerOf(token) !== issuer) return undefined
    return identityOf(await verifiedClaims(token, keys, verification), options)
  }
}

function tokenOf({ headers }: RequestWithHeaders): string | undefined {
  const header = 'get' in headers ? headers.get('authorization') : headers.authorization
  const token = header?.replace(/^Bearer +/i, '').trim()
  return token !== undefined && token.length <= maxTokenLength && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
    ? token
    : undefined
}

/**
 * Returns the issuer that a token names. The signature is not verified here. The result is undefined for a text that is
 * not a token.
 */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** @throws ApiError `unauthorized` for an invalid token, `service_unavailable` when the keys cannot be read. */
async function verifiedClaims(
  token: string,
  keys: JWTVerifyGetKey,
  verification: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, verification)).payload
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    // The messages of the library name a claim or an algorithm, and contain no part of the token.
    throw new ApiError('unauthorized', { explanation: `the JSON Web Token is invalid: ${error.message}` })
  }
}
