import { type Engine, healthEndpoints } from '@halyard/core'
import type { FetchHandler } from './fetch-handler.ts'

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
export function withHealth<Context extends readonly unknown[] = []>(
  api: FetchHandler<Context>,
  engine: Pick<Engine, 'readiness'>,
): FetchHandler<Context> {
  const healthResponse = healthEndpoints(engine)
  return async (request, ...context) => {
    const response = await healthResponse(request.method, new URL(request.url).pathname)
    if (!response) return api(request, ...context)
    return new Response(request.method === 'HEAD' ? null : response.body, {
      status: response.status,
      headers: response.headers,
    })
  }
}
