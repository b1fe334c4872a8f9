import { notInstalled, type Pages, type PagesOptions, servedPages } from '@halyard/pages'
import { consolePaths, pageAt } from '../console-paths.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Makes the handler of the page of the console and of its files. Every address of a page has the same document. */
export function appPages(options: PagesOptions): Pages {
  const document = servedPages(
    { page: '/', images: "'self'", files: { '/': { type: 'text/html; charset=utf-8', text: documentText } } },
    options,
  )
  return async (method, path, cut) => {
    if (path.startsWith(consolePaths.assets)) return asset(method, path, cut, options)
    return pageAt(path) || path === consolePaths.signedIn ? document(method, '/', cut) : undefined
  }
}

async function asset(method: string, path: string, cut: string | undefined, options: PagesOptions) {
  const { assets } = (await loadApp()).files
  const name = path.slice(consolePaths.assets.length)
  const content = Object.hasOwn(assets, name) ? assets[name] : undefined
  const type = types[name.slice(name.lastIndexOf('.') + 1)]
  if (content === undefined || type === undefined) return undefined
  const site = { page: path, images: "'self'", files: { [path]: { type, text: async () => content } } }
  const response = await servedPages(site, options)(method, path, cut)
  // The name of the file contains a hash of its content.
  const headers = { ...response?.headers, 'cache-control': 'public, max-age=31536000, immutable' }
  return response && { ...response, headers: response.status === 200 ? headers : response.headers }
}

async function documentText(mountPath: string, versionHeader: string): Promise<string> {
  const { html } = (await loadApp()).files
  const base = escapeAttribute(mountPath === '/' ? '' : mountPath)
  return html.replaceAll('{{base}}', base).replaceAll('{{version-header}}', versionHeader)
}

/**
 * Escapes the mount path, which comes from the request: under a router with parameters, the client chooses a part of
 * it.
 */
function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function loadApp() {
  return import('#app').catch((cause) => {
    const message =
      'The console is not installed. Install the whole package @halyard/console, with its dist/app.js; from source, ' +
      'esbuild and preact too.'
    throw notInstalled(message, cause)
  })
}
