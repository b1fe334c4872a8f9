import type { OAuthClientDescription } from '@halyard/core'
import type { OAuthEngine } from './oauth-engine.ts'
import type { Parameters } from './parameters.ts'
import { scopesOf } from './scope.ts'

/** The parameters of an authorization request that the consent page repeats. */
export const repeatedNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** A valid authorization request (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export interface AuthorizationRequest {
  readonly client: OAuthClientDescription
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string | undefined
  readonly codeChallenge: string
  /** The parameters as they were sent. */
  readonly parameters: Parameters['values']
}

/** An invalid request. Without `redirectUri` the person sees the error, because the target cannot be trusted. */
export interface RefusedAuthorization {
  readonly error: string
  readonly description: string
  readonly redirectUri?: string
  readonly state?: string | undefined
}

/** The scope of a request that names no scope: the fewest rights (RFC 6749, 3.3). */
const defaultScope = 'reader'

/** Validates an authorization request, first the client and its redirect URI (RFC 6749, 4.1.2.1). */
export async function parseAuthorization(
  { oauth }: OAuthEngine,
  { values, repeated }: Parameters,
): Promise<AuthorizationRequest | RefusedAuthorization> {
  const { client_id: clientId, redirect_uri: redirectUri, state, code_challenge: codeChallenge } = values
  const untrusted = { error: 'invalid_request', description: 'The link of the application is invalid.' }
  if (clientId === undefined || redirectUri === undefined) return untrusted
  if (repeated.includes('client_id') || repeated.includes('redirect_uri')) return untrusted
  const client = await oauth.findClient(clientId, redirectUri)
  if (!client)
    return { error: 'invalid_request', description: 'The application or its redirect URI is not registered.' }
  const refuse = (error: string, description: string) => ({ error, description, redirectUri, state })
  if (repeated[0] !== undefined) return refuse('invalid_request', `${repeated[0]}: must occur once.`)
  if (values.request !== undefined) return refuse('request_not_supported', 'request: must not be present.')
  if (values.request_uri !== undefined) return refuse('request_uri_not_supported', 'request_uri: must not be present.')
  if (values.response_type === undefined) return refuse('invalid_request', 'response_type: must be present.')
  if (values.response_type !== 'code') return refuse('unsupported_response_type', 'response_type: must be code.')
  if (values.code_challenge_method !== 'S256' || codeChallenge === undefined || !/^[\w-]{43}$/.test(codeChallenge))
    return refuse('invalid_request', 'code_challenge: must be present, with the code_challenge_method S256.')
  const scopes = scopesOf(values.scope ?? defaultScope)
  return { client, redirectUri, scopes, state, codeChallenge, parameters: values }
}
