import type { EngineRequest, OAuthClientProof } from '@halyard/core'
import type { Parameters } from './parameters.ts'

/**
 * Returns the client that a request names, with its secret: in the header `Authorization` or in the form, never in both
 * (RFC 6749, 2.3.1). The result is undefined when the request names no client, or two.
 */
export function clientProof({ header }: EngineRequest, { values }: Parameters): OAuthClientProof | undefined {
  const { client_id: clientId, client_secret: clientSecret } = values
  const authorization = header('authorization')
  if (authorization === undefined) return clientId === undefined ? undefined : { clientId, clientSecret }
  const proof = basicProof(authorization)
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== proof?.clientId)) return undefined
  return proof
}

function basicProof(authorization: string): OAuthClientProof | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? []
  try {
    const text = atob(encoded)
    const colon = text.indexOf(':')
    if (colon < 0) return undefined
    return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

/** Decodes the client id or the secret, which are both encoded like the values of a form. */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
