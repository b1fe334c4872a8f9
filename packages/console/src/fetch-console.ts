import { type PagesOptions, withPages } from '@halyard/pages'
import { consolePages } from './console-pages.ts'

/**
 * Serves the page before a fetch handler of the API: `Deno.serve(withConsole(createFetchHandler(engine)))`.
 *
 * @param api handles all requests that are not for the page.
 * @param options see `ConsoleOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `consolePages` does.
 *
 * @example
 * ```ts
 * import { withConsole } from '@halyard/console'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const handler = withConsole(createFetchHandler(await createTestEngine()))
 * const response = await handler(new Request('http://localhost/api/v2/projects'))
 * console.log(response.status) // 401
 * ```
 */
export function withConsole<Context extends readonly unknown[] = []>(
  api: (request: Request, ...context: Context) => Promise<Response>,
  options: PagesOptions = {},
): (request: Request, ...context: Context) => Promise<Response> {
  return withPages(api, consolePages(options))
}
