import type { Pages } from './served-pages.ts'

/**
 * Puts pages in front of a fetch handler: `Deno.serve(withPages(createFetchHandler(engine), pages))`.
 *
 * @param api answers what is no page's.
 * @param pages what `servedPages` makes; its `basePath` must be that of the handler.
 */
export function withPages(
  api: (request: Request) => Promise<Response>,
  pages: Pages,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const given = await pages(request.method, new URL(request.url).pathname)
    if (!given) return api(request)
    const { status, headers, body } = given
    return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers })
  }
}
