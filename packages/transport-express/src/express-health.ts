import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Engine, healthEndpoints } from '@halyard/core'

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressHealth = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Responds to probes at `/livez`, `/healthz` and `/readyz`, without a token: `app.use(createExpressHealth(engine))`.
 * Other paths are passed to `next`; without a `next` they are refused with 404.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createTestEngine } from '@halyard/testing'
 * import { createExpressHealth } from '@halyard/transport-express'
 *
 * // Under Express: app.use(createExpressHealth(engine))
 * const server = createServer(createExpressHealth(await createTestEngine()))
 * console.log(server.listening) // false
 * ```
 */
export function createExpressHealth(engine: Pick<Engine, 'readiness'>): ExpressHealth {
  const healthResponse = healthEndpoints(engine)
  return (req, res, next) => {
    healthResponse(req.method ?? 'GET', (req.url ?? '/').split('?')[0] as string).then((response) => {
      if (!response && next) return next()
      if (!res.destroyed && !res.headersSent)
        res.writeHead(response?.status ?? 404, response?.headers).end(response?.body)
    })
  }
}
