import { type ConsoleOptions, consolePages } from './console-pages.ts'

/**
 * Puts the page in front of a fetch handler of the API: `Deno.serve(withConsole(createFetchHandler(engine)))`.
 *
 * @param api answers what is not the page's.
 * @param options see `ConsoleOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `consolePages` does.
 */
export function withConsole(
  api: (request: Request) => Promise<Response>,
  options: ConsoleOptions = {},
): (request: Request) => Promise<Response> {
  const pages = consolePages(options)
  return async (request) => {
    const given = await pages(request.method, new URL(request.url).pathname)
    if (!given) return api(request)
    const { status, headers, body } = given
    return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers })
  }
}
