import { type Engine, healthEndpoints } from '@halyard/core'

/**
 * Adds probes to a fetch handler, at `/livez`, `/healthz` and `/readyz` and without a token:
 * `Deno.serve(withHealth(createFetchHandler(engine), engine))`.
 *
 * @param api handles every other path.
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
  const healthResponse = healthEndpoints(engine)
  return async (request) => {
    const response = await healthResponse(request.method, new URL(request.url).pathname)
    if (!response) return api(request)
    return new Response(request.method === 'HEAD' ? null : response.body, {
      status: response.status,
      headers: response.headers,
    })
  }
}
