import { type Engine, healthEndpoints } from '@halyard/core'

/**
 * Puts probes in front of a fetch handler, at `/livez`, `/healthz` and `/readyz` and without a token:
 * `Deno.serve(withHealth(createFetchHandler(engine), engine))`.
 *
 * @param api answers every other path.
 *
 * @example
 * ```ts
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler, withHealth } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const handler = withHealth(createFetchHandler(engine), engine)
 * const response = await handler(new Request('http://localhost/readyz'))
 * console.log(response.status) // 200
 * ```
 */
export function withHealth(
  api: (request: Request) => Promise<Response>,
  engine: Pick<Engine, 'readiness'>,
): (request: Request) => Promise<Response> {
  const answers = healthEndpoints(engine)
  return async (request) => {
    const given = await answers(request.method, new URL(request.url).pathname)
    if (!given) return api(request)
    return new Response(request.method === 'HEAD' ? null : given.body, { status: given.status, headers: given.headers })
  }
}
