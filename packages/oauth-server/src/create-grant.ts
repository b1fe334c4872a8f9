import type { EngineRequest, EngineResponse } from '@halyard/core'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { OAuthEngine } from './oauth-engine.ts'
import type { ServerSettings } from './options.ts'

/** The outcome of granting access, or of its dry run. */
export type GrantOutcome =
  /** `code` is undefined in a dry run. */
  | { readonly kind: 'granted'; readonly memberId: string; readonly code: string | undefined }
  | { readonly kind: 'unidentified' }
  | { readonly kind: 'invalid_scope' }
  /** `message` explains it to the person. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }

/** Grants the access that a request asks for, as the person whom the request names. */
export async function createGrant(
  { handle }: OAuthEngine,
  personRequest: EngineRequest,
  { client, redirectUri, scopes, codeChallenge }: AuthorizationRequest,
): Promise<GrantOutcome> {
  const response = await handle({
    ...personRequest,
    header: (name) => (name === 'content-type' ? 'application/json' : personRequest.header(name)),
    method: 'POST',
    path: `/api/v2/oauth/clients/${encodeURIComponent(client.clientId)}/grants`,
    query: '',
    body: { kind: 'parsed', value: { redirectUri, scopes, codeChallenge } },
  })
  return outcomeOf(response)
}

/**
 * Finds out who the person is and whether they could grant the access, without granting it. A dry run changes nothing,
 * so it is allowed for a request that follows a link of another site.
 */
export async function checkGrant(
  engine: OAuthEngine,
  personRequest: EngineRequest,
  request: AuthorizationRequest,
): Promise<GrantOutcome> {
  const header = (name: string) => (name === 'sec-fetch-site' ? 'same-origin' : personRequest.header(name))
  const dry = { handle: (granting: EngineRequest) => engine.handle({ ...granting, query: 'dryRun=true' }) }
  return createGrant({ ...engine, ...dry }, { ...personRequest, header }, request)
}

function outcomeOf({ status, body = '' }: EngineResponse): GrantOutcome {
  // Cast: every response of the operation, also an error, is an object with these properties.
  const { memberId, code, message, errors } = JSON.parse(body) as {
    readonly memberId: string
    readonly code?: string
    readonly message?: string
    readonly errors?: readonly { readonly attribute: string }[]
  }
  if (status < 300) return { kind: 'granted', memberId, code }
  if (status === 401) return { kind: 'unidentified' }
  if (status === 400 && errors?.some(({ attribute }) => attribute.startsWith('scopes')))
    return { kind: 'invalid_scope' }
  const forbidden = 'Only a member whose session or token includes their own access tokens can grant access.'
  return {
    kind: 'refused',
    status,
    message: status === 403 ? forbidden : (message ?? `The engine responded with ${status}.`),
  }
}

/** Returns the e-mail address of a member if the person may view it; otherwise the id. */
export async function nameOfMember(
  { handle }: OAuthEngine,
  personRequest: EngineRequest,
  memberId: string,
): Promise<string> {
  const path = `/api/v2/members/${encodeURIComponent(memberId)}`
  const body = { kind: 'parsed', value: undefined } as const
  const response = await handle({ ...personRequest, method: 'GET', path, query: '', body })
  const { email } = response.status === 200 ? (JSON.parse(response.body ?? '{}') as { readonly email?: string }) : {}
  return email ?? memberId
}

/** Returns a request in the name of the person whose token was entered on the page. */
export function requestWithToken(
  request: EngineRequest,
  token: string,
  { identifyToken }: ServerSettings,
): EngineRequest {
  const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : request.header(name))
  return { ...request, header, identify: identifyToken && (() => identifyToken(token)) }
}
