import type { As, CorsOptions, EngineRequest, EngineResponse, HostIdentity, MountedEndpoints } from '@halyard/core'
import { createExpressHandler, type ExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
import { consolePages } from '../console-pages.ts'
import { consoleHeader, consolePaths, ownRoot, pageAt } from '../console-paths.ts'
import { appPages } from './app-files.ts'
import type { ConsoleEngine } from './console-engine.ts'
import {
  countEvaluations,
  describeOrigin,
  describeSession,
  explainEvaluation,
  explainRights,
  simulateChange,
  streamChanges,
} from './console-functions.ts'
import { errorResponse, invalid, json, readObject } from './console-responses.ts'
import { type IssuerResponse, type IssuerSignIn, type IssuerSignInOptions, issuerSignIn } from './issuer-sign-in.ts'
import { memorySessions, type Sessions } from './sessions.ts'

/** A request of a transport: of `fetch`, or of `node:http` and Express. */
export type HostRequest = Request | Parameters<ExpressHandler>[0]

/** Options of `createConsole`: the mount path, and the way in which people sign in. */
export interface ConsoleMountOptions {
  /** Path under which the console is mounted, for hosts that do not remove it, e.g. `/features`. Default: the root. */
  readonly basePath?: string
  /** Path that a host other than Express removes before it calls the handler, e.g. `/features`. Default: no path. */
  readonly mountPath?: string
  /**
   * Names the person of a request by the session of the host, like the option `identify` of the transports. If it
   * returns undefined, the page prompts for an access token and keeps it in its tab. It receives the `Request` of fetch
   * or the request of Express, depending on the handler that the host mounts. Default: none.
   */
  identify?(request: HostRequest): HostIdentity | undefined | Promise<HostIdentity | undefined>
  /**
   * Returns the address of the client, which an IP allowlist of the account needs; undefined where it is not known. It
   * receives the `Request` of fetch or the request of Express, depending on the handler that the host mounts. Default:
   * `req.ip` of Express, or else the remote address of the connection; undefined over fetch.
   */
  clientAddress?(request: HostRequest): string | undefined
  /** Origins whose pages may call the API of the console in a browser. Default: no origins. */
  readonly cors?: CorsOptions
  /**
   * The OAuth 2.0 authorization server, made by `oauthServer` of `@halyard/oauth-server`. Default: no authorization
   * server.
   */
  readonly oauth?: MountedEndpoints
  /** OpenID Connect provider at which the page signs people in. Default: no provider. */
  readonly oidc?: IssuerSignInOptions
  /** Name of the header that requests beta operations. Default: `SVC-API-Version`. */
  readonly versionHeader?: string
  /**
   * True when browsers send the cookies of `createSignInPath` over HTTPS only. Set false for plain HTTP, as on this
   * machine. Default: true.
   */
  readonly secureCookies?: boolean
}

/** A console that can be mounted. */
export interface Console {
  /** Serves the console and the API over fetch. Never rejects; other paths are refused with 404. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Serves the console and the API in Express 4 and 5 and in `node:http`. Other paths are passed to `next`. */
  readonly express: ExpressHandler
  /**
   * Returns the path of a link that signs a person in once, within 15 minutes, below the mount path. The session is
   * kept in the memory of this process and ends after 12 hours.
   *
   * @param identity the person, as `identify` names one.
   */
  createSignInPath(identity: HostIdentity): string
}

/**
 * Makes the console of an engine: the web page on which people manage flags, and the API that the page calls, at one
 * mount path.
 *
 * The page calls the API with the rights of the person whom `identify` names, or whose access token is pasted into the
 * page. Its content security policy allows no inline code, no frames and no other host.
 *
 * @param engine whose flags are managed.
 * @param options see `ConsoleMountOptions`.
 * @throws RangeError when `basePath` or `mountPath` does not start with `/`, or `cors` or `versionHeader` is invalid.
 * @throws TypeError when `oidc.issuer` is invalid.
 *
 * @example
 * ```ts
 * import { createConsole } from '@halyard/console'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const identify = () => ({ service: 'ann', role: 'reader' }) as const
 * const flags = createConsole(await createTestEngine(), { basePath: '/flags', identify })
 * // Deno.serve(flags.fetch), or in Express: app.use(flags.express)
 * const response = await flags.fetch(new Request('https://shop.example.com/flags/'))
 * console.log(response.status, response.headers.get('content-type')) // 200 text/html; charset=utf-8
 * ```
 */
export function createConsole(engine: ConsoleEngine, options: ConsoleMountOptions = {}): Console {
  const { basePath, mountPath, cors, oauth, oidc, secureCookies = true } = options
  const sessions = memorySessions(Date.now)
  const endpoints = consoleEndpoints(engine, {
    versionHeader: options.versionHeader,
    issuer: oidc && issuerSignIn(oidc),
    sessions,
    secureCookies,
  })
  const identify = (request: HostRequest) => sessions.find(cookiesOf(request)) ?? options.identify?.(request)
  const common = {
    basePath,
    mountPath,
    cors,
    identify,
    ...(options.clientAddress ? { clientAddress: (request: HostRequest) => options.clientAddress?.(request) } : {}),
    oauth: both(endpoints, oauth),
  }
  const handle = createFetchHandler(engine, common)
  const root = (basePath ?? '').replace(/\/+$/, '')
  return {
    fetch: (request) => handle(withSlash(request, root)),
    express: createExpressHandler(engine, common),
    createSignInPath: (identity) => `/#sign-in=${sessions.createCode(identity)}`,
  }
}

/**
 * Adds a slash to the address of the mount path. Redirects would repeat forever under hosts such as Next, which remove
 * the slash at the end of an address by a redirect.
 */
function withSlash(request: Request, root: string): Request {
  const url = new URL(request.url)
  if (root === '' || url.pathname !== root) return request
  url.pathname = `${root}/`
  return new Request(url, request)
}

/**
 * Returns the cookies of a request. The headers are not tested with `instanceof Headers`, because Node loads its HTTP
 * client at the first use of that name, which takes 20 to 50 ms.
 */
function cookiesOf({ headers }: HostRequest): string | undefined {
  return (isHeaders(headers) ? headers.get('cookie') : headers.cookie) ?? undefined
}

function isHeaders(headers: HostRequest['headers']): headers is Headers {
  return typeof headers.get === 'function'
}

function both(first: MountedEndpoints, second: MountedEndpoints | undefined): MountedEndpoints {
  return {
    has: (path) => first.has(path) || (second?.has(path) ?? false),
    handle: (request) => (first.has(request.path) || !second ? first : second).handle(request),
  }
}

interface EndpointOptions {
  readonly versionHeader: string | undefined
  readonly issuer: IssuerSignIn | undefined
  readonly secureCookies: boolean
  readonly sessions: Sessions
}

function consoleEndpoints(engine: ConsoleEngine, options: EndpointOptions): MountedEndpoints {
  const { versionHeader } = options
  const app = appPages({ versionHeader })
  const insights = consolePages({ versionHeader })
  return {
    has: (path) =>
      path.startsWith(ownRoot) || pageAt(path) !== undefined || /^\/(insights|invitation)(\/|$)/.test(path),
    async handle(request) {
      try {
        const page =
          (await app(request.method, request.path, request.mountPath)) ??
          (await insights(request.method, request.path, request.mountPath))
        return page ?? (await callFunction(engine, options, request))
      } catch (error) {
        return errorResponse(error)
      }
    },
  }
}

const functions: Readonly<
  Record<
    string,
    readonly [method: string, run: (e: ConsoleEngine, as: As, r: EngineRequest) => Promise<EngineResponse>]
  >
> = {
  [consolePaths.rights]: ['POST', explainRights],
  [consolePaths.simulation]: ['POST', simulateChange],
  [consolePaths.explanation]: ['POST', explainEvaluation],
  [consolePaths.changes]: ['GET', streamChanges],
  [consolePaths.evaluations]: ['POST', countEvaluations],
  [consolePaths.origin]: ['GET', describeOrigin],
}

async function callFunction(
  engine: ConsoleEngine,
  options: EndpointOptions,
  request: EngineRequest,
): Promise<EngineResponse> {
  const { method, path, mountPath = '' } = request
  const { sessions, secureCookies, issuer } = options
  // A page of another site cannot add this header without a preflight request, which is refused.
  if (request.header(consoleHeader.name) !== consoleHeader.value)
    return json(403, { code: 'forbidden', message: `The header ${consoleHeader.name} is missing` })
  if (path === consolePaths.signIn && method === 'POST') {
    const code = (await readObject(request))?.code
    const cookie = sessions.begin(String(code), mountPath, secureCookies)
    return cookie ? json(200, {}, { 'set-cookie': cookie }) : invalid('code', 'was used already or has expired')
  }
  if (path === consolePaths.signOut && method === 'POST')
    return json(200, {}, { 'set-cookie': sessions.end(request.header('cookie'), mountPath) })
  if (path === consolePaths.issuer && issuer) return signInAtIssuer(issuer, options, request)
  const as = await callerOf(request)
  const refusal = as === undefined ? undefined : await refusalOf(engine, request)
  if (refusal) return refusal
  if (path === consolePaths.session)
    return describeSession(engine, as, {
      inSession: sessions.find(request.header('cookie')) !== undefined,
      ...(issuer ? { issuer: issuer.name } : {}),
    })
  const [allowedMethod, run] = Object.hasOwn(functions, path) ? (functions[path] ?? []) : []
  if (!run) return json(404, { code: 'not_found', message: 'Invalid resource identifier' })
  if (method !== allowedMethod) return json(405, { code: 'method_not_allowed', message: 'Method not allowed' })
  if (as === undefined) return json(401, { code: 'unauthorized', message: 'Invalid access token' })
  return run(engine, as, request)
}

/**
 * Responds with the data by which the page redirects a person to the issuer, or begins a session with the code that the
 * issuer returned.
 */
async function signInAtIssuer(
  issuer: IssuerSignIn,
  { sessions, secureCookies }: EndpointOptions,
  request: EngineRequest,
): Promise<EngineResponse> {
  if (request.method !== 'POST') return json(200, await issuer.readParameters())
  const { query, state, nonce, verifier, redirectUri } = (await readObject(request)) ?? {}
  const response = { query, state, nonce, verifier, redirectUri }
  const missing = Object.entries(response).find(([, value]) => typeof value !== 'string')
  if (missing) return invalid(missing[0], 'must be a string')
  // Cast: every property is a string.
  const identity = await issuer.identify(response as IssuerResponse)
  if (!identity) return json(401, { code: 'unauthorized', message: 'The issuer does not sign this person in' })
  // `session` is true because browsers send the cookie of the session by themselves, unlike a token.
  const cookie = sessions.begin(
    sessions.createCode({ ...identity, session: true }),
    request.mountPath ?? '',
    secureCookies,
  )
  return json(200, {}, cookie === undefined ? {} : { 'set-cookie': cookie })
}

/**
 * Returns an error response if the API would refuse the request because of the client's address (IP allowlist) or the
 * rate limit. The console functions call the engine in process, which checks neither the address nor the rate limit. An
 * unknown caller is not refused here, because the functions have their own response for it.
 */
async function refusalOf(engine: ConsoleEngine, request: EngineRequest): Promise<EngineResponse | undefined> {
  const response = await engine.handle({
    ...request,
    method: 'GET',
    path: '/api/v2/caller-identity',
    query: '',
    body: { kind: 'parsed', value: undefined },
  })
  return response.status === 403 || response.status === 429 ? response : undefined
}

/** Returns the caller of a request: the person that the host names, otherwise the owner of the access token. */
async function callerOf(request: EngineRequest): Promise<As | undefined> {
  const identity = await request.identify?.()
  if (identity) return { identity }
  const token = request
    .header('authorization')
    ?.replace(/^Bearer +/i, '')
    .trim()
  return token ? token : undefined
}
