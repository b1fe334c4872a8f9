import type { EngineRequest, EngineResponse } from '@halyard/core'
import { handleAuthorization } from './authorization-endpoint.ts'
import { style } from './consent-page.ts'
import { metadata } from './metadata.ts'
import type { OAuthEngine } from './oauth-engine.ts'
import { type OAuthServerOptions, paths, type ServerSettings, settingsOf } from './options.ts'
import { json, methodNotAllowed, rateLimitResponse } from './responses.ts'
import { handleIntrospection, handleRevocation, handleToken } from './token-endpoint.ts'

/** The endpoints of an authorization server, for the option `oauth` of the transports. */
export interface OAuthServer {
  /** Returns true for a path below the mount path that the server handles. */
  has(path: string): boolean
  /** Handles a request for one of its paths. Never rejects: failures become error responses. */
  handle(request: EngineRequest): Promise<EngineResponse>
}

/**
 * Makes the OAuth 2.0 authorization server of an engine, for the option `oauth` of a transport. The option `identify`
 * of the same transport names the person who is asked for consent.
 *
 * It supports authorization codes with PKCE, refresh tokens, client credentials (RFC 6749, 7636), revocation (RFC
 * 7009), introspection (RFC 7662) and discovery (RFC 8414), as RFC 9700 recommends. Clients are those of
 * `createOAuthClient`.
 *
 * @param engine the engine whose members grant access to its OAuth clients.
 * @param options `issuer`: the public URL; `signIn`: the sign-in page of the host; see `OAuthServerOptions`.
 * @throws TypeError when the issuer is invalid.
 *
 * @example
 * ```ts
 * import { oauthServer } from '@halyard/oauth-server'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const oauth = oauthServer(engine, { issuer: 'https://flags.example.com' })
 * const handler = createFetchHandler(engine, { oauth })
 * const response = await handler(new Request('https://flags.example.com/.well-known/oauth-authorization-server'))
 * console.log((await response.json()).token_endpoint) // https://flags.example.com/trust/oauth/token
 * ```
 */
export function oauthServer(engine: OAuthEngine, options: OAuthServerOptions): OAuthServer {
  const settings = settingsOf(options)
  const handlers: ReadonlyMap<string, (request: EngineRequest) => Promise<EngineResponse>> = new Map([
    [paths.authorize, (request) => handleAuthorization(engine, settings, request)],
    [paths.token, (request) => handleToken(engine, request)],
    [paths.revoke, (request) => handleRevocation(engine, request)],
    [paths.introspect, (request) => handleIntrospection(engine, settings, request)],
    [paths.style, (request) => read(request, styleResponse)],
    [paths.metadata, (request) => read(request, () => metadataResponse(settings))],
  ])
  return {
    has: (path) => handlers.has(path),
    async handle(request) {
      try {
        return (await handlers.get(request.path)?.(request)) ?? json(404, { error: 'not_found' })
      } catch (error) {
        const limited = rateLimitResponse(error)
        if (limited) return limited
        options.onError?.(error)
        return json(500, { error: 'server_error', error_description: 'The request could not be handled.' })
      }
    },
  }
}

async function read({ method }: EngineRequest, respond: () => EngineResponse): Promise<EngineResponse> {
  return method === 'GET' || method === 'HEAD' ? respond() : methodNotAllowed('GET, HEAD')
}

function metadataResponse(settings: ServerSettings): EngineResponse {
  return json(200, metadata(settings), { 'cache-control': 'public, max-age=300' })
}

function styleResponse(): EngineResponse {
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' }
  return { status: 200, headers, body: style }
}
