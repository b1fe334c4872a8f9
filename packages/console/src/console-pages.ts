import type { PageFiles } from './build/bundle-page.ts'

export interface ConsoleOptions {
  /** The path under which API and page are mounted where nothing cuts it off, e.g. `/features`. Default: none. */
  readonly basePath?: string
  /** Name of the header that asks the API for beta operations. Default: `SVC-API-Version`. */
  readonly versionHeader?: string
}

/** What a request to the page is answered with; an empty body for redirects. */
export interface ConsoleAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers what is the page's; undefined for every other path. */
export type ConsolePages = (method: string, path: string) => Promise<ConsoleAnswer | undefined>

/** Nothing from elsewhere, nothing inline, and into no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const safety = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

const served = {
  '/insights': ['html', 'text/html; charset=utf-8'],
  '/insights/console.js': ['script', 'text/javascript; charset=utf-8'],
  '/insights/console.css': ['style', 'text/css; charset=utf-8'],
  '/insights/icon.svg': ['icon', 'image/svg+xml'],
} as const satisfies Record<string, readonly [keyof PageFiles, string]>

/**
 * The page `GET /insights` and its files, for whatever serves them beside the API of the same origin.
 *
 * The page itself tells nothing: it asks for an access token and reads the API with it.
 *
 * @returns a function of method and path (without query) that resolves with the answer; 405 for other methods.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is no name of a header.
 */
export function consolePages({ basePath = '', versionHeader = 'SVC-API-Version' }: ConsoleOptions = {}): ConsolePages {
  const base = basePath.replace(/\/+$/, '')
  if (base !== '' && !base.startsWith('/')) throw new RangeError('basePath: must start with "/"')
  if (!/^[A-Za-z0-9-]+$/.test(versionHeader)) throw new RangeError('versionHeader: must be a name of a header')
  return async (method, path) => {
    if (!path.startsWith(base)) return undefined
    const name = path.slice(base.length)
    if (name === '/insights/') return redirect(`${base}/insights`)
    const known = Object.hasOwn(served, name) ? served[name as keyof typeof served] : undefined
    if (!known) return undefined
    if (method !== 'GET' && method !== 'HEAD') return refusal
    const [file, type] = known
    // Read at the first request: whoever serves the API alone does not load the page.
    const { files } = await import('#page')
    const body = file === 'html' ? files.html.replaceAll('{{version-header}}', versionHeader) : files[file]
    return { status: 200, headers: { ...safety, 'content-type': type }, body }
  }
}

function redirect(location: string): ConsoleAnswer {
  return { status: 308, headers: { ...safety, location }, body: '' }
}

const refusal: ConsoleAnswer = { status: 405, headers: { ...safety, allow: 'GET, HEAD' }, body: '' }
