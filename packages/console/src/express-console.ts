import { createExpressPages, type ExpressPages, type PagesOptions } from '@halyard/pages'
import { consolePages } from './console-pages.ts'

/**
 * Serves the page in Express, at the same mount path as the API: `app.use(createExpressConsole())`.
 *
 * Requests for other paths are passed to `next`; without a `next` the response is 404.
 *
 * @param options see `ConsoleOptions`.
 * @throws RangeError as `consolePages` does.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createExpressConsole } from '@halyard/console'
 *
 * // Under Express: app.use(createExpressConsole())
 * const server = createServer(createExpressConsole())
 * console.log(server.listening) // false
 * ```
 */
export function createExpressConsole(options: PagesOptions = {}): ExpressPages {
  return createExpressPages(consolePages(options))
}
