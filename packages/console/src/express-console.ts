import { createExpressPages, type ExpressPages, type PagesOptions } from '@halyard/pages'
import { consolePages } from './console-pages.ts'

/**
 * Puts the page into Express, beside the API and at the same mount path: `app.use(createExpressConsole())`.
 *
 * Other paths go on to `next`; without a `next` they are 404.
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
