import type { EngineRequest, EngineResponse } from '../operation/engine-request.ts'

/** The pages of other origins that may read the API in a browser (Fetch Standard, "CORS protocol"). */
export interface CorsOptions {
  /** Origins such as `https://admin.example.com`, without a path; or `*` for every origin. */
  readonly origins: readonly string[] | '*'
  /** Time for which a browser may cache the result of a preflight request, seconds. Default 600. */
  readonly maxAge?: number
}

type Handle = (request: EngineRequest) => Promise<EngineResponse>

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Headers that scripts may read. */
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
 * Wraps the handling of requests with CORS, for transports. Credentials of the browser are never allowed: a script sets
 * the token in a header, so a page cannot use another page's session.
 *
 * @returns `handle` itself without options, so that CORS costs nothing when it is not used.
 * @throws RangeError when an origin is invalid, or `maxAge` is not a whole number of seconds.
 *
 * @example
 * ```ts
 * import { withCors } from '@halyard/core'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * const handle = withCors(engine.handle, { origins: ['https://admin.example.com'] })
 * const { headers } = await handle({
 *   method: 'GET',
 *   path: '/api/v2/projects',
 *   query: '',
 *   body: { kind: 'parsed', value: undefined },
 *   header: (name) => (name === 'origin' ? 'https://admin.example.com' : undefined),
 * })
 * console.log(headers['access-control-allow-origin']) // https://admin.example.com
 * ```
 */
export function withCors(handle: Handle, options: CorsOptions | undefined): Handle {
  if (!options) return handle
  const { origins, maxAge = 600 } = options
  if (!Number.isSafeInteger(maxAge) || maxAge < 0)
    throw new RangeError('cors.maxAge: must be a whole number of seconds')
  const allowedOrigins = origins === '*' ? undefined : new Set(origins.map(checkedOrigin))
  const allowed = (origin: string | undefined) =>
    origin !== undefined && (!allowedOrigins || allowedOrigins.has(origin))
      ? allowedOrigins
        ? origin
        : '*'
      : undefined

  return async (request) => {
    const origin = allowed(request.header('origin'))
    if (origin !== undefined && isPreflight(request)) return preflight(request, origin, maxAge)
    const response = await handle(request)
    // HTTP caches must store one response per origin, also when this origin is not allowed.
    const headers: Record<string, string> = { ...response.headers, vary: 'Origin' }
    if (origin !== undefined) {
      headers['access-control-allow-origin'] = origin
      headers['access-control-expose-headers'] = exposed
    }
    return { ...response, headers }
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
  const requested = header('access-control-request-headers')
  // The host chooses the name of the version header, so every header that a script requests is allowed.
  if (requested !== undefined && /^[\w-]+( ?, ?[\w-]+){0,99}$/.test(requested))
    headers['access-control-allow-headers'] = requested
  return { status: 204, headers, body: undefined }
}

function checkedOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new RangeError(`cors.origins: "${text}" must be an origin, e.g. https://admin.example.com`)
}
