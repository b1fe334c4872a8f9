import type { EngineRequest, EngineResponse } from '../operation/engine-request.ts'

/** Which pages of other origins may read the API in a browser (Fetch Standard, "CORS protocol"). */
export interface CorsOptions {
  /** Origins such as `https://admin.example.com`, without a path; or `*` for every page there is. */
  readonly origins: readonly string[] | '*'
  /** How long a browser may remember what it was told, seconds. Default 600. */
  readonly maxAge?: number
}

type Handle = (request: EngineRequest) => Promise<EngineResponse>

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** What scripts may read besides the body. */
const exposed = [
  'ETag',
  'Location',
  'Allow',
  'Retry-After',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-Ratelimit-Global-Remaining',
  'X-Ratelimit-Route-Remaining',
  'X-Ratelimit-Reset',
].join(', ')

/**
 * Puts CORS around the handling of requests, for transports. Credentials of the browser are never allowed: tokens come in
 * a header that a script sets, and so no page can use what another one left behind.
 *
 * @returns `handle` itself without options, so that who has no CORS pays nothing.
 * @throws RangeError for what is no origin, and for a `maxAge` that is no whole number of seconds.
 */
export function withCors(handle: Handle, options: CorsOptions | undefined): Handle {
  if (!options) return handle
  const { origins, maxAge = 600 } = options
  if (!Number.isSafeInteger(maxAge) || maxAge < 0)
    throw new RangeError('cors.maxAge: must be a whole number of seconds')
  const known = origins === '*' ? undefined : new Set(origins.map(checkedOrigin))
  const allowed = (origin: string | undefined) =>
    origin !== undefined && (!known || known.has(origin)) ? (known ? origin : '*') : undefined

  return async (request) => {
    const origin = allowed(request.header('origin'))
    if (origin !== undefined && isPreflight(request)) return preflight(request, origin, maxAge)
    const answer = await handle(request)
    // Caches must know that another origin gets another answer, also when this one gets none.
    const headers: Record<string, string> = { ...answer.headers, vary: 'Origin' }
    if (origin !== undefined) {
      headers['access-control-allow-origin'] = origin
      headers['access-control-expose-headers'] = exposed
    }
    return { ...answer, headers }
  }
}

function isPreflight({ method, header }: EngineRequest): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined
}

function preflight({ header }: EngineRequest, origin: string, maxAge: number): EngineResponse {
  const headers: Record<string, string> = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods,
    'access-control-max-age': String(maxAge),
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
  const asked = header('access-control-request-headers')
  // Which header asks for a version is up to the host, so whatever a script wants to send it may.
  if (asked !== undefined && /^[\w-]+( ?, ?[\w-]+){0,99}$/.test(asked)) headers['access-control-allow-headers'] = asked
  return { status: 204, headers, body: undefined }
}

function checkedOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new RangeError(`cors.origins: "${text}" is no origin, e.g. https://admin.example.com`)
}
