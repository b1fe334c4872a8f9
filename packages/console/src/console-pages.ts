import { notInstalled, type PageFile, type Pages, type PagesOptions, servedPages } from '@halyard/pages'
import type { PageFiles } from './build/bundle-page.ts'

const files = {
  '/insights': { type: 'text/html; charset=utf-8', text: page },
  '/insights/console.js': pageFile('script', 'text/javascript; charset=utf-8'),
  '/insights/console.css': pageFile('style', 'text/css; charset=utf-8'),
  '/insights/icon.svg': pageFile('icon', 'image/svg+xml'),
}

/**
 * Makes the handler of the page `GET /insights` and its files, which a server offers on the same origin as the API.
 *
 * The page itself contains no data of the account: it prompts for an access token and reads the API with it.
 *
 * @param options see `ConsoleOptions`.
 * @returns a function of method and path (without query) that resolves with the response; 405 for other methods, 501
 *   when
 *   the files of the build are missing.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is not a valid header name.
 *
 * @example
 * ```ts
 * import { consolePages } from '@halyard/console'
 *
 * const pages = consolePages()
 * const response = await pages('GET', '/api/v2/flags/web')
 * console.log(response) // undefined
 * ```
 */
export function consolePages(options: PagesOptions = {}): Pages {
  return servedPages({ page: '/insights', images: "'self'", files }, options)
}

async function page(_: string, versionHeader: string): Promise<string> {
  const { html } = (await loadPage()).files
  return html.replaceAll('{{version-header}}', versionHeader)
}

function pageFile(name: keyof PageFiles, type: string): PageFile {
  return { type, text: async () => (await loadPage()).files[name] }
}

function loadPage() {
  return import('#page').catch((cause) => {
    const message =
      'This page is not installed. Install the whole package @halyard/console, with its dist/page.js; from source, ' +
      'esbuild and echarts too.'
    throw notInstalled(message, cause)
  })
}
