import { type PagesOptions, withPages } from '@halyard/pages'
import { apiDocsPages } from './api-docs-pages.ts'

/**
 * Adds document and page to a fetch handler of the API: `Deno.serve(withApiDocs(createFetchHandler(engine)))`.
 *
 * @param api handles all other paths.
 * @param options see `ApiDocsOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `apiDocsPages` does.
 *
 * @example
 * ```ts
 * import { withApiDocs } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const handler = withApiDocs(createFetchHandler(await createTestEngine()))
 * const response = await handler(new Request('http://localhost/api/v2/projects'))
 * console.log(response.status) // 401
 * ```
 */
export function withApiDocs<Context extends readonly unknown[] = []>(
  api: (request: Request, ...context: Context) => Promise<Response>,
  options: PagesOptions = {},
): (request: Request, ...context: Context) => Promise<Response> {
  return withPages(api, apiDocsPages(options))
}
