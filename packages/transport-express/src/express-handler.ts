import type { ServerResponse } from 'node:http'
import {
  type CorsOptions,
  type Engine,
  type EngineResponse,
  type HostIdentity,
  type MountedEndpoints,
  withCors,
} from '@halyard/core'
import { bodyOf, type IncomingRequest } from './body.ts'
import { discard } from './read-body.ts'
import { sendChunks } from './send-chunks.ts'
import { type Target, targetOf, unknownTarget } from './target.ts'

/** Options of the handler: the mount path of the API, the origins that may call it, and who its callers are. */
export interface ExpressHandlerOptions {
  /** Path under which the API is mounted, for hosts that do not remove it, e.g. `/features`. Default: the root. */
  readonly basePath?: string
  /**
   * Path that a host other than Express removes before it calls the handler, e.g. `/features`: links in responses begin
   * with it. Default: the path that Express removed.
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
  readonly identify?: (req: IncomingRequest) => HostIdentity | undefined | Promise<HostIdentity | undefined>
  /**
   * Returns the address of the client, which an IP allowlist of the account needs; undefined where it is not known.
   * Behind proxies without Express, use `clientAddressBehind` of `@halyard/core`. Default: `req.ip` of Express, which
   * depends on its setting `trust proxy`, or else the remote address of the connection.
   */
  readonly clientAddress?: (req: IncomingRequest) => string | undefined
  /**
   * The OAuth 2.0 authorization server, made by `oauthServer` of `@halyard/oauth-server`. Default: no authorization
   * server.
   */
  readonly oauth?: MountedEndpoints
}

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressHandler = (req: IncomingRequest, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Serves an engine in Express, under any mount path: `app.use(createExpressHandler(engine))`; or in plain `node:http`:
 * `createServer(createExpressHandler(engine))`.
 *
 * The handler responds to every path under `/api/v2` and `/webhook/triggers/`, also to unknown ones, and to those of
 * `oauth`. Other paths are passed to `next`; without a `next` they are refused with 404. A body parser may run in front
 * of the handler (`express.json()`, `express.text()`, `express.raw()`); then its own limit applies, and its own
 * response to invalid JSON. Otherwise bodies are read up to the engine's `bodyLimit`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 *
 * @param engine handles the requests.
 * @throws RangeError when `basePath` or `mountPath` does not start with `/`, or `cors` contains an invalid origin.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createTestEngine } from '@halyard/testing'
 * import { createExpressHandler } from '@halyard/transport-express'
 *
 * // Under Express: app.use('/features', createExpressHandler(engine))
 * const server = createServer(createExpressHandler(await createTestEngine()))
 * console.log(server.listening) // false
 * ```
 */
export function createExpressHandler(
  engine: Pick<Engine, 'handle'>,
  { basePath = '', mountPath = '', cors, identify, clientAddress = addressOf, oauth }: ExpressHandlerOptions = {},
): ExpressHandler {
  const base = checkPath('basePath', basePath)
  const mounted = checkPath('mountPath', mountPath) + base
  const handle = withCors((request) => (oauth?.has(request.path) ? oauth : engine).handle(request), cors)
  return (req, res, next) => {
    const target = targetOf(req, { base, mounted }, oauth)
    if (!target && next) next()
    else
      respond(handle, { req, res }, target ?? unknownTarget, { identify, clientAddress }).catch((error) =>
        next ? next(error) : res.destroy(error),
      )
  }
}

/** Returns a path without slashes at its end. */
function checkPath(option: string, value: string): string {
  const path = value.replace(/\/+$/, '')
  if (path !== '' && !path.startsWith('/')) throw new RangeError(`${option}: must start with "/"`)
  return path
}

/** The functions that name the caller of a request. */
interface Callers {
  readonly identify: ExpressHandlerOptions['identify']
  clientAddress(req: IncomingRequest): string | undefined
}

/** Returns the address of the client as Express or the socket reports it. */
function addressOf(req: IncomingRequest): string | undefined {
  return req.ip ?? req.socket.remoteAddress
}

/** A request of Node, and its response. */
interface HttpExchange {
  readonly req: IncomingRequest
  readonly res: ServerResponse
}

async function respond(
  handle: Engine['handle'],
  { req, res }: HttpExchange,
  { path, query, mountPath }: Target,
  { identify, clientAddress }: Callers,
): Promise<void> {
  const response = await handle({
    method: req.method ?? 'GET',
    path,
    query,
    mountPath,
    header: (name) => headerValue(req, name),
    body: bodyOf(req),
    clientAddress: () => clientAddress(req),
    ...(identify ? { identify: () => identify(req) } : {}),
  })
  if (response.pieces && req.method !== 'HEAD') await sendChunks(res, response, response.pieces)
  else send(res, response)
  // Node discards an unread body itself. In Deno's node:http the caller would wait until the body is read.
  if (!req.complete && !req.readableDidRead && announcesBody(req)) discard(req)
}

/** Returns true when the request has a body (RFC 9112, 6). Most requests have no body, and need no listener. */
function announcesBody({ headers }: IncomingRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Returns the value of a header by its lower-case name. */
export function headerValue(req: IncomingRequest, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** Sends a response. Node omits the body of a response to HEAD itself. */
export function send(res: ServerResponse, { status, headers, body, length }: EngineResponse): void {
  // The caller may have closed the connection, or a middleware with a time limit may have responded; writing would then
  // emit an error event.
  if (res.destroyed || res.headersSent) return
  if (body === undefined) res.writeHead(status, headers).end()
  // The length comes first: a property after a spread costs 2 µs in Node 20, as much as finding the operation.
  else res.writeHead(status, { 'content-length': length ?? Buffer.byteLength(body), ...headers }).end(body)
}
