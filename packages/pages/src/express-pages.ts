import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageResponse, Pages } from './served-pages.ts'

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressPages = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Serves pages in Express, at the same mount path as the API: `app.use(createExpressPages(pages))`.
 *
 * Requests for other paths are passed to `next`; without a `next` the response is 404.
 *
 * @param pages result of `servedPages`.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createExpressPages, servedPages } from '@halyard/pages'
 *
 * const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
 * const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
 * // Under Express: app.use(createExpressPages(pages))
 * const server = createServer(createExpressPages(pages))
 * console.log(server.listening) // false
 * ```
 */
export function createExpressPages(pages: Pages): ExpressPages {
  return (req, res, next) => {
    const path = (req.url ?? '/').split('?')[0] as string
    // Express provides the prefix that it removed; `node:http` removes none.
    const { baseUrl = '' } = req as { baseUrl?: string }
    pages(req.method ?? 'GET', path, baseUrl)
      .then((response) => {
        if (response) send(req, res, response)
        else if (next) next()
        else send(req, res, { status: 404, headers: {}, body: '' })
      })
      .catch((error) => (next ? next(error) : res.destroy(error)))
  }
}

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: PageResponse): void {
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  res.end(req.method === 'HEAD' ? undefined : body)
}
