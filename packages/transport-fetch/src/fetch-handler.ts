import {
  type CorsOptions,
  type Engine,
  type EngineRequest,
  type EngineResponse,
  type HostIdentity,
  type MountedEndpoints,
  withCors,
} from '@halyard/core'
import { chunksOf, readText } from './read-body.ts'
import { streamOf } from './stream-of.ts'

/**
 * Options of the handler: the mount path of the API, the origins that may call it, and who its callers are.
 *
 * `Context` contains the types of the arguments that the host passes to the handler after the request.
 */
export interface FetchHandlerOptions<Context extends readonly unknown[] = []> {
  /**
   * Path under which the API is mounted, e.g. `/features`; requests outside it are refused with 404. Default: the root.
   */
  readonly basePath?: string
  /**
   * Path that the host removes from requests before it calls the handler, e.g. `/features`: links in responses begin
   * with it. Default: no path.
   */
  readonly mountPath?: string
  /** Origins whose pages may call the API in a browser. Default: no origins. */
  readonly cors?: CorsOptions
  /**
   * Returns the caller of a request, identified by the session of the host or by a signed token
   * (docs/decisions/0002-decide-access-by-policy.md#d38-callers-of-a-host-application), or undefined when the access
   * token of the request identifies the caller. It may throw an `ApiError`, e.g. `unauthorized`; any other error
   * becomes a response with 500. Without this option, only access tokens identify callers.
   */
  readonly identify?: (request: Request) => HostIdentity | undefined | Promise<HostIdentity | undefined>
  /**
   * Returns the address of the client, which an IP allowlist of the account needs; undefined where it is not known. It
   * receives the request and the further arguments of the host, such as the connection in Deno and the server in Bun
   * (docs/guide/fetch.md). A header is safe only where the host sets it and no client can, such as `cf-connecting-ip`.
   * Default: not known, and requests that an allowlist limits are refused.
   */
  readonly clientAddress?: (request: Request, ...context: Context) => string | undefined
  /**
   * The OAuth 2.0 authorization server, made by `oauthServer` of `@halyard/oauth-server`. Default: no authorization
   * server.
   */
  readonly oauth?: MountedEndpoints
}

/** Handles a request. The host may pass further arguments, as Deno, Bun and workerd do. */
export type FetchHandler<Context extends readonly unknown[] = []> = (
  request: Request,
  ...context: Context
) => Promise<Response>

/**
 * Serves an engine through the fetch interface of Node, Deno, Bun and workerd:
 * `Deno.serve(createFetchHandler(engine))`.
 *
 * The returned function never rejects, and responds to every request: an unknown path is refused with 404. Bodies are
 * read up to the engine's `bodyLimit` (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 *
 * @param engine handles the requests.
 * @throws RangeError when `basePath` or `mountPath` does not start with `/`, or `cors` contains an invalid origin.
 *
 * @example
 * ```ts
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const handler = createFetchHandler(engine)
 * const headers = { authorization: engine.admin }
 * const response = await handler(new Request('http://localhost/api/v2/projects', { headers }))
 * console.log(response.status) // 200
 * ```
 */
export function createFetchHandler<Context extends readonly unknown[] = []>(
  engine: Pick<Engine, 'handle'>,
  { basePath = '', mountPath = '', cors, identify, clientAddress, oauth }: FetchHandlerOptions<Context> = {},
): FetchHandler<Context> {
  const base = checkPath('basePath', basePath)
  const mounted = checkPath('mountPath', mountPath) + base
  const handle = withCors((request) => (oauth?.has(request.path) ? oauth : engine).handle(request), cors)
  return async (request, ...context) => {
    const engineRequest: EngineRequest = {
      ...toEngineRequest(request, base, mounted),
      ...(identify ? { identify: () => identify(request) } : {}),
      ...(clientAddress ? { clientAddress: () => clientAddress(request, ...context) } : {}),
    }
    return toResponse(request, await handle(engineRequest))
  }
}

/** Returns a path without slashes at its end. */
function checkPath(option: string, value: string): string {
  const path = value.replace(/\/+$/, '')
  if (path !== '' && !path.startsWith('/')) throw new RangeError(`${option}: must start with "/"`)
  return path
}

/**
 * Translates a request to a request of the engine.
 *
 * @param base path to remove, without a trailing slash.
 * @param mountPath path with which links begin, without a trailing slash.
 */
export function toEngineRequest(request: Request, base: string, mountPath = base): EngineRequest {
  const { url, method } = request
  // The URL is normalized, so slicing is sufficient; parsing it again would cost as much as finding the operation.
  const start = url.indexOf('/', url.indexOf(':') + 3)
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const queryStart = url.indexOf('?', start)
  const pathEnd = queryStart < 0 || queryStart > end ? end : queryStart
  return {
    method,
    path: removeBase(base, url.slice(start, pathEnd)),
    mountPath,
    query: pathEnd === end ? '' : url.slice(pathEnd + 1, end),
    header: (name) => request.headers.get(name) ?? undefined,
    body: { kind: 'unread', text: (limit) => readText(request, limit), chunks: () => chunksOf(request) },
  }
}

/**
 * Returns the path below the mount path. For other paths, returns an empty path, to which the engine responds with 404.
 */
function removeBase(base: string, path: string): string {
  if (base === '') return path
  return path.startsWith(base) && path[base.length] === '/' ? path.slice(base.length) : ''
}

function toResponse(request: Request, { status, headers, body, pieces }: EngineResponse): Response {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  return new Response(pieces ? streamOf(pieces) : body, { status, headers })
}
