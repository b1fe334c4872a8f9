import { type ApiDocsOptions, apiDocsPages } from './api-docs-pages.ts'

/**
 * Puts document and page in front of a fetch handler of the API: `Deno.serve(withApiDocs(createFetchHandler(engine)))`.
 *
 * @param api answers what is neither.
 * @param options see `ApiDocsOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `apiDocsPages` does.
 */
export function withApiDocs(
  api: (request: Request) => Promise<Response>,
  options: ApiDocsOptions = {},
): (request: Request) => Promise<Response> {
  const pages = apiDocsPages(options)
  return async (request) => {
    const given = await pages(request.method, new URL(request.url).pathname)
    if (!given) return api(request)
    const { status, headers, body } = given
    return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers })
  }
}
