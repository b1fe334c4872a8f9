import type { EngineRequest, EngineResponse, OAuthClientProof, OAuthTokenRequest } from '@halyard/core'
import { clientProof } from './client-proof.ts'
import type { OAuthEngine } from './oauth-engine.ts'
import type { ServerSettings } from './options.ts'
import { formParameters, type Parameters } from './parameters.ts'
import { errorResponse, json, methodNotAllowed } from './responses.ts'
import { scopesOf } from './scope.ts'

/** Handles the form of a client that authenticates itself. */
type Handle = (client: OAuthClientProof, form: Parameters) => Promise<EngineResponse>

/** Issues tokens (RFC 6749, 3.2). */
export function handleToken({ oauth }: OAuthEngine, request: EngineRequest): Promise<EngineResponse> {
  return authenticated(request, async (client, form) => {
    const tokenRequest = tokenRequestOf(form)
    if ('response' in tokenRequest) return tokenRequest.response
    const issued = await oauth.issueTokens(client, tokenRequest)
    if ('error' in issued) return errorResponse(issued.error, issued.description)
    const { accessToken, refreshToken, scopes, expiresIn } = issued
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: scopes.join(' '),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    })
  })
}

/** Revokes a token (RFC 7009). */
export function handleRevocation({ oauth }: OAuthEngine, request: EngineRequest): Promise<EngineResponse> {
  return authenticated(request, async (client, { values: { token } }) => {
    if (token === undefined) return missing('token')
    const refused = await oauth.revokeToken(client, token)
    return refused ? errorResponse(refused.error, refused.description) : json(200, {})
  })
}

/** Describes a token to the client that has it (RFC 7662). */
export function handleIntrospection(
  { oauth }: OAuthEngine,
  { issuer }: ServerSettings,
  request: EngineRequest,
): Promise<EngineResponse> {
  return authenticated(request, async (client, { values: { token } }) => {
    if (token === undefined) return missing('token')
    const introspection = await oauth.introspect(client, token)
    if (introspection === undefined) return json(200, { active: false })
    if ('error' in introspection) return errorResponse(introspection.error, introspection.description)
    return json(200, {
      active: true,
      scope: introspection.scopes.join(' '),
      client_id: introspection.clientId,
      sub: introspection.subject,
      token_type: 'Bearer',
      iat: Math.floor(introspection.issuedAt / 1000),
      exp: Math.floor(introspection.expiresAt / 1000),
      iss: issuer,
    })
  })
}

async function authenticated(request: EngineRequest, handle: Handle): Promise<EngineResponse> {
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const form = await formParameters(request)
  if (!form) return errorResponse('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  const [repeated] = form.repeated
  if (repeated !== undefined) return errorResponse('invalid_request', `${repeated}: must occur once.`)
  const client = clientProof(request, form)
  if (!client)
    return errorResponse('invalid_client', 'The request must authenticate exactly one client, by one method.')
  return handle(client, form)
}

function tokenRequestOf({ values }: Parameters): OAuthTokenRequest | { readonly response: EngineResponse } {
  const { grant_type: grantType, code, redirect_uri: redirectUri, code_verifier: codeVerifier, scope } = values
  const scopes = scope === undefined ? undefined : scopesOf(scope)
  if (grantType === 'client_credentials') return { grantType, scopes }
  if (grantType === 'refresh_token') {
    const { refresh_token: refreshToken } = values
    return refreshToken === undefined ? { response: missing('refresh_token') } : { grantType, refreshToken, scopes }
  }
  if (grantType === 'authorization_code') {
    if (code === undefined) return { response: missing('code') }
    if (redirectUri === undefined) return { response: missing('redirect_uri') }
    if (codeVerifier === undefined) return { response: missing('code_verifier') }
    return { grantType, code, redirectUri, codeVerifier }
  }
  if (grantType === undefined) return { response: missing('grant_type') }
  const kinds = 'grant_type: must be authorization_code, refresh_token or client_credentials.'
  return { response: errorResponse('unsupported_grant_type', kinds) }
}

function missing(name: string): EngineResponse {
  return errorResponse('invalid_request', `${name}: must be present.`)
}
