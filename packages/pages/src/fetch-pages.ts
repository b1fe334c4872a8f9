import type { Pages } from './served-pages.ts'

/**
 * Serves pages before a fetch handler: `Deno.serve(withPages(createFetchHandler(engine), pages))`.
 *
 * @param api handles all requests that are not for a page.
 * @param pages result of `servedPages`; its `basePath` must be that of the handler.
 *
 * @example
 * ```ts
 * import { servedPages, withPages } from '@halyard/pages'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
 * const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
 * const handler = withPages(createFetchHandler(await createTestEngine()), pages)
 * const response = await handler(new Request('http://localhost/hello'))
 * console.log(await response.text()) // <title>Hello</title>
 * ```
 */
export function withPages<Context extends readonly unknown[] = []>(
  api: (request: Request, ...context: Context) => Promise<Response>,
  pages: Pages,
): (request: Request, ...context: Context) => Promise<Response> {
  return async (request, ...context) => {
    const response = await pages(request.method, new URL(request.url).pathname)
    if (!response) return api(request, ...context)
    const { status, headers, body } = response
    return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers })
  }
}
