import { notInstalled, type PageFile, type Pages, type PagesOptions, servedPages } from '@halyard/pages'
import type { PageFiles } from './build/read-page.ts'

const documentPath = '/api/v2/openapi.json'
const pagePath = '/api/v2/docs'

/**
 * Returns a function that serves the OpenAPI document of this release at `GET /api/v2/openapi.json`, and a page that
 * displays it at `GET /api/v2/docs`. Neither the document nor the page requires a token: they contain only what every
 * client of the API may know.
 *
 * @param options see `ApiDocsOptions`.
 * @returns a function of method and path (without query) that resolves with the response; 405 for other methods, 501
 *   when the files of the build do not exist; undefined for other paths.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is not the name of a header.
 *
 * @example
 * ```ts
 * import { apiDocsPages } from '@halyard/openapi'
 *
 * const pages = apiDocsPages()
 * const response = await pages('GET', '/api/v2/projects')
 * console.log(response) // undefined
 * ```
 */
export function apiDocsPages(options: PagesOptions = {}): Pages {
  const files = {
    [documentPath]: { type: 'application/json', text: cacheLast(documentForHost) },
    [pagePath]: pageFile('html', 'text/html; charset=utf-8'),
    [`${pagePath}/page.js`]: pageFile('script', 'text/javascript; charset=utf-8'),
    [`${pagePath}/page.css`]: pageFile('style', 'text/css; charset=utf-8'),
    [`${pagePath}/renderer.js`]: pageFile('renderer', 'text/javascript; charset=utf-8'),
    [`${pagePath}/renderer.css`]: pageFile('rendererStyle', 'text/css; charset=utf-8'),
  }
  // The renderer's style sheet contains its images as data URLs.
  return servedPages({ page: pagePath, images: "'self' data:", files }, options)
}

function pageFile(name: keyof PageFiles, type: string): PageFile {
  return { type, text: async () => (await loadPage()).files[name] }
}

function loadPage() {
  return import('#page').catch((cause) => {
    const message =
      'This page is not installed. Install the whole package @halyard/openapi, with its dist/page.js; from source, ' +
      'swagger-ui-dist too.'
    throw notInstalled(message, cause)
  })
}

function loadDocument() {
  return import('#document').catch((cause) => {
    const message =
      'The OpenAPI document is not installed. Install the whole package @halyard/openapi, with its dist/document.js; ' +
      'from source, docs/reference/openapi.json too.'
    throw notInstalled(message, cause)
  })
}

/** Returns the document of this release, adapted to the host. */
async function documentForHost(server: string, versionHeader: string): Promise<string> {
  const { document } = await loadDocument()
  const { components, info, ...rest } = JSON.parse(document)
  const { BetaVersion, ...parameters } = components.parameters
  return JSON.stringify({
    ...rest,
    info: { ...info, description: info.description.replaceAll(BetaVersion.name, versionHeader) },
    servers: [{ url: server }],
    components: { ...components, parameters: { BetaVersion: { ...BetaVersion, name: versionHeader }, ...parameters } },
  })
}

/** Caches the last result unless it failed. A host serves the document at one path, or few. */
function cacheLast(load: PageFile['text']): PageFile['text'] {
  let cached: { readonly server: string; readonly versionHeader: string; readonly text: Promise<string> } | undefined
  return (server, versionHeader) => {
    if (cached?.server === server && cached.versionHeader === versionHeader) return cached.text
    const text = load(server, versionHeader)
    const entry = { server, versionHeader, text }
    cached = entry
    text.catch(() => {
      if (cached === entry) cached = undefined
    })
    return text
  }
}
