import { notInstalled, type PageFile, type Pages, type PagesOptions, servedPages } from '@halyard/pages'
import type { PageFiles } from './build/bundle-page.ts'

const insights = {
  '/insights': { type: 'text/html; charset=utf-8', text: page },
  '/insights/console.js': pageFile('script', 'text/javascript; charset=utf-8'),
  '/insights/console.css': pageFile('style', 'text/css; charset=utf-8'),
  '/insights/icon.svg': pageFile('icon', 'image/svg+xml'),
}

const invitation = {
  '/invitation': pageFile('invitationHtml', 'text/html; charset=utf-8'),
  '/invitation/page.js': pageFile('invitationScript', 'text/javascript; charset=utf-8'),
}

/**
 * Makes the handler of the pages `GET /insights` and `GET /invitation` and their files, which a server offers on the
 * same origin as the API.
 *
 * The pages contain no data of the account: one prompts for an access token and reads the API with it, the other
 * accepts the invitation of the link with which it is opened.
 *
 * @param options see `ConsoleOptions`.
 * @returns a function of method and path (without query) that resolves with the response; 405 for other methods, 501
 *   when the files of the build are missing.
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
  const images = "'self'"
  const pages = [
    servedPages({ page: '/insights', images, files: insights }, options),
    servedPages({ page: '/invitation', images, files: invitation }, options),
  ]
  return async (...request) => {
    const [first, second] = await Promise.all(pages.map((served) => served(...request)))
    return first ?? second
  }
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
