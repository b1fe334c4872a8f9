import { isNotInstalled } from './not-installed.ts'

/** Options of `servedPages`: the path at which the pages are mounted, and how they call the API on the same origin. */
export interface PagesOptions {
  /**
   * Path under which API and pages are mounted, for hosts that do not strip it, such as `/features`. Default: the root.
   */
  readonly basePath?: string
  /** Name of the header that requests beta operations. Default: `SVC-API-Version`. */
  readonly versionHeader?: string
}

/** A page with the files that it loads. */
export interface PageSite {
  /** Path of the page itself, such as `/insights`. The same path with a trailing slash redirects to it. */
  readonly page: string
  /** Allowed sources of images, as the `img-src` directive of a content security policy. */
  readonly images: string
  /** The files by path, including the page itself. */
  readonly files: Readonly<Record<string, PageFile>>
}

/** One file of a page. */
export interface PageFile {
  /** Media type of the file. */
  readonly type: string
  /**
   * Returns the content. This function is called for each request, so that hosts that serve only the API do not load
   * the content.
   *
   * @param server path under which the API is mounted, `/` for none.
   * @param versionHeader name of the header that requests beta operations.
   * @throws NotInstalled, made by `notInstalled`, when a package that the content needs is not installed.
   */
  text(server: string, versionHeader: string): Promise<string>
}

/** The response of a page; redirects have an empty body. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Handles requests for a page and its files. Resolves with undefined for every other path.
 *
 * @param cut the prefix that was removed from the path, such as the mount path of an Express application. Default:
 *   none.
 */
export type Pages = (method: string, path: string, cut?: string) => Promise<PageResponse | undefined>

/**
 * Makes the handler of a page and its files, which a server offers on the same origin as the API. The headers of its
 * responses forbid inline scripts and styles, frames around the page, and content from other origins except images.
 *
 * @param site the page; a path that is not among its files is not served.
 * @param options see `PagesOptions`.
 * @returns a function of method and path (without query) that resolves with the response; 405 for other methods, 501
 *   when a package from which a file is made is not installed.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is not a valid header name.
 *
 * @example
 * ```ts
 * import { servedPages } from '@halyard/pages'
 *
 * const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
 * const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
 * console.log((await pages('GET', '/hello'))?.body) // <title>Hello</title>
 * console.log(await pages('GET', '/other')) // undefined
 * ```
 */
export function servedPages({ page, images, files }: PageSite, options: PagesOptions = {}): Pages {
  const { base, versionHeader } = validateOptions(options)
  const safety = safeHeaders(images)
  const refusal = { status: 405, headers: { ...safety, allow: 'GET, HEAD' }, body: '' }
  return async (method, path, cut = '') => {
    if (!path.startsWith(base)) return undefined
    const name = path.slice(base.length)
    if (name === `${page}/`) return { status: 308, headers: { ...safety, location: `${cut}${base}${page}` }, body: '' }
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    if (!file) return undefined
    if (method !== 'GET' && method !== 'HEAD') return refusal
    try {
      const body = await file.text(`${cut}${base}` || '/', versionHeader)
      return { status: 200, headers: { ...safety, 'content-type': file.type }, body }
    } catch (error) {
      if (!isNotInstalled(error)) throw error
      const headers = { ...safety, 'content-type': 'text/plain; charset=utf-8' }
      return { status: 501, headers, body: `${error.message}\n` }
    }
  }
}

function validateOptions({ basePath = '', versionHeader = 'SVC-API-Version' }: PagesOptions) {
  const base = basePath.replace(/\/+$/, '')
  if (base !== '' && !base.startsWith('/')) throw new RangeError('basePath: must start with "/"')
  if (!/^[A-Za-z0-9-]+$/.test(versionHeader)) throw new RangeError('versionHeader: must be a valid header name')
  return { base, versionHeader }
}

function safeHeaders(images: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  }
}
