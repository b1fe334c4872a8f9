import { ApiError } from '@halyard/core'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { JwtIdentifierOptions } from './jwt-identifier-options.ts'

/**
 * Returns the function that finds the public key of a token. It caches the keys, and reads them again when a token has
 * another key.
 *
 * @throws ApiError `service_unavailable` (the returned function) when the keys cannot be read.
 */
export function issuerKeys(options: JwtIdentifierOptions): JWTVerifyGetKey {
  const { jwks } = options
  // Cast: the library validates the keys.
  if (jwks) return createLocalJWKSet(jwks as JSONWebKeySet)
  let opening: Promise<JWTVerifyGetKey> | undefined
  return async (header, token) => {
    // The next request repeats a failed discovery. The library repeats a failed request for the keys.
    opening ??= openRemoteKeys(options).catch((error) => {
      opening = undefined
      throw error
    })
    try {
      return await (await opening)(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      const explanation = `the keys of the issuer cannot be read: ${error instanceof Error ? error.message : error}`
      throw new ApiError('service_unavailable', { explanation, cause: error })
    }
  }
}

async function openRemoteKeys(options: JwtIdentifierOptions): Promise<JWTVerifyGetKey> {
  const { refetchAfterMs = 30_000, timeoutMs = 5_000 } = options
  const address = options.jwksUri ?? (await discoverKeys(options.issuer, timeoutMs))
  return createRemoteJWKSet(new URL(address), { cooldownDuration: refetchAfterMs, timeoutDuration: timeoutMs })
}

/** Returns the address of the keys from the document that the issuer publishes (OpenID Connect Discovery 1.0, 4). */
async function discoverKeys(issuer: string, timeoutMs: number): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${address} responds with ${response.status}`)
  const configuration = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
  if (configuration.issuer !== issuer) throw new Error(`${address} is the configuration of another issuer`)
  const { jwks_uri: keys } = configuration
  if (typeof keys !== 'string' || !isAsTrusted(keys, issuer)) throw new Error(`${address} names no https jwks_uri`)
  return keys
}

/** Returns true unless the keys of an https issuer would be read without https. */
function isAsTrusted(address: string, issuer: string): boolean {
  return URL.canParse(address) && (new URL(address).protocol === 'https:' || new URL(issuer).protocol === 'http:')
}
