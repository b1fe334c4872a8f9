import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ConsoleAnswer, type ConsoleOptions, consolePages } from './console-pages.ts'

/** A middleware of Express 4 and 5, and a listener of `node:http`. */
export type ExpressConsole = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Puts the page into Express, beside the API and at the same mount path: `app.use(createExpressConsole())`.
 *
 * Other paths go on to `next`; without a `next` they are 404.
 *
 * @param options see `ConsoleOptions`.
 * @throws RangeError as `consolePages` does.
 */
export function createExpressConsole(options: ConsoleOptions = {}): ExpressConsole {
  const pages = consolePages(options)
  return (req, res, next) => {
    const path = (req.url ?? '/').split('?')[0] as string
    pages(req.method ?? 'GET', path)
      .then((given) => {
        if (given) send(req, res, given)
        else if (next) next()
        else send(req, res, { status: 404, headers: {}, body: '' })
      })
      .catch((error) => (next ? next(error) : res.destroy(error)))
  }
}

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: ConsoleAnswer): void {
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  res.end(req.method === 'HEAD' ? undefined : body)
}
