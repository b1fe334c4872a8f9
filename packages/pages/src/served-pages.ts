import { isNotInstalled } from './not-installed.ts'

/** Where pages are, and how they ask the API beside them. */
export interface PagesOptions {
  /** The path under which API and pages are mounted where nothing cuts it off, e.g. `/features`. Default: none. */
  readonly basePath?: string
  /** Name of the header that asks the API for beta operations. Default: `SVC-API-Version`. */
  readonly versionHeader?: string
}

/** A page with the files that it loads. */
export interface PageSite {
  /** Path of the page itself, e.g. `/insights`; with a slash at its end it leads there. */
  readonly page: string
  /** Where its pictures may come from, as `img-src` of a content security policy says it. */
  readonly images: string
  /** What is served, by path; the page itself too. */
  readonly files: Readonly<Record<string, PageFile>>
}

/** One file of a page. */
export interface PageFile {
  /** Its media type. */
  readonly type: string
  /**
   * Makes its content, at each request: whoever serves the API alone need not load it.
   *
   * @param server path under which the API is, `/` for none.
   * @param versionHeader name of the header that asks for beta operations.
   * @throws NotInstalled, made by `notInstalled`, where it is made from what this installation does not have.
   */
  text(server: string, versionHeader: string): Promise<string>
}

/** What a request is answered with; an empty body for redirects. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers what is a page's; undefined for every other path.
 *
 * @param cut what was cut off before the path, such as the mount path of an Express application. Default: nothing.
 */
export type Pages = (method: string, path: string, cut?: string) => Promise<PageAnswer | undefined>

/**
 * The answers of a page and its files, for whatever serves them beside the API of the same origin. They forbid the browser
 * what is inline, what comes from elsewhere but for the pictures, and frames around them.
 *
 * @param site the page; what is not among its files is not served.
 * @param options see `PagesOptions`.
 * @returns a function of method and path (without query) that resolves with the answer; 405 for other methods, 501 where
 *   what a file is made from is not installed.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is no name of a header.
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
  const { base, versionHeader } = checked(options)
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

function checked({ basePath = '', versionHeader = 'SVC-API-Version' }: PagesOptions) {
  const base = basePath.replace(/\/+$/, '')
  if (base !== '' && !base.startsWith('/')) throw new RangeError('basePath: must start with "/"')
  if (!/^[A-Za-z0-9-]+$/.test(versionHeader)) throw new RangeError('versionHeader: must be a name of a header')
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
