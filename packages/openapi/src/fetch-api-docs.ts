import { type PagesOptions, withPages } from '@halyard/pages'
import { apiDocsPages } from './api-docs-pages.ts'

/**
 * Puts document and page in front of a fetch handler of the API: `Deno.serve(withApiDocs(createFetchHandler(engine)))`.
 *
 * @param api answers what is neither.
 * @param options see `ApiDocsOptions`; `basePath` must be that of the handler.
 * @throws RangeError as `apiDocsPages` does.
 */
export function withApiDocs(
  api: (request: Request) => Promise<Response>,
  options: PagesOptions = {},
): (request: Request) => Promise<Response> {
  return withPages(api, apiDocsPages(options))
}
