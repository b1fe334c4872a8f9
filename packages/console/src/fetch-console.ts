import { type PagesOptions, withPages } from '@halyard/pages'
import { consolePages } from './console-pages.ts'

/**
 * Puts the page in front of a fetch handler of the API: `Deno.serve(withConsole(createFetchHandler(engine)))`.
 *
 * @param api answers what is not the page's.
 * @param options see `ConsoleOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `consolePages` does.
 */
export function withConsole(
  api: (request: Request) => Promise<Response>,
  options: PagesOptions = {},
): (request: Request) => Promise<Response> {
  return withPages(api, consolePages(options))
}
