import { createExpressPages, type ExpressPages, type PagesOptions } from '@halyard/pages'
import { apiDocsPages } from './api-docs-pages.ts'

/**
 * Serves document and page in Express, beside the API and at the same mount path: `app.use(createExpressApiDocs())`.
 *
 * Other paths are passed to `next`; without a `next` they are refused with 404.
 *
 * @param options see `ApiDocsOptions`.
 * @throws RangeError as `apiDocsPages` does.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createExpressApiDocs } from '@halyard/openapi'
 *
 * // Under Express: app.use(createExpressApiDocs())
 * const server = createServer(createExpressApiDocs())
 * console.log(server.listening) // false
 * ```
 */
export function createExpressApiDocs(options: PagesOptions = {}): ExpressPages {
  return createExpressPages(apiDocsPages(options))
}
