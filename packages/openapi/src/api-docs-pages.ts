import type { PageFiles } from './build/read-page.ts'

export interface ApiDocsOptions {
  /** The path under which API and page are mounted where nothing cuts it off, e.g. `/features`. Default: none. */
  readonly basePath?: string
  /** Name of the header that asks the API for beta operations. Default: `SVC-API-Version`. */
  readonly versionHeader?: string
}

/** What a request is answered with; an empty body for redirects. */
export interface ApiDocsAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers what is the page's or the document's; undefined for every other path.
 *
 * @param cut what was cut off before the path, such as the mount path of an Express application. Default: nothing.
 */
export type ApiDocsPages = (method: string, path: string, cut?: string) => Promise<ApiDocsAnswer | undefined>

/** Nothing from elsewhere, nothing inline, and into no frame; the renderer's own style sheet has its pictures in it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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

const documentPath = '/api/v2/openapi.json'
const pagePath = '/api/v2/docs'

const served = {
  [pagePath]: ['html', 'text/html; charset=utf-8'],
  [`${pagePath}/page.js`]: ['script', 'text/javascript; charset=utf-8'],
  [`${pagePath}/page.css`]: ['style', 'text/css; charset=utf-8'],
  [`${pagePath}/renderer.js`]: ['renderer', 'text/javascript; charset=utf-8'],
  [`${pagePath}/renderer.css`]: ['rendererStyle', 'text/css; charset=utf-8'],
} as const satisfies Record<string, readonly [keyof PageFiles, string]>

/**
 * The OpenAPI document of this release at `GET /api/v2/openapi.json`, and a page that shows it at `GET /api/v2/docs`, for
 * whatever serves them beside the API. Neither asks for a token: they tell what every client of the API may know.
 *
 * @returns a function of method and path (without query) that resolves with the answer; 405 for other methods.
 * @throws RangeError when `basePath` does not start with `/`, or `versionHeader` is no name of a header.
 */
export function apiDocsPages({ basePath = '', versionHeader = 'SVC-API-Version' }: ApiDocsOptions = {}): ApiDocsPages {
  const base = basePath.replace(/\/+$/, '')
  if (base !== '' && !base.startsWith('/')) throw new RangeError('basePath: must start with "/"')
  if (!/^[A-Za-z0-9-]+$/.test(versionHeader)) throw new RangeError('versionHeader: must be a name of a header')
  const documentFor = rememberLast((server: string) => writtenDocument(server, versionHeader))
  return async (method, path, cut = '') => {
    if (!path.startsWith(base)) return undefined
    const name = path.slice(base.length)
    const isDocument = name === documentPath
    const file = Object.hasOwn(served, name) ? served[name as keyof typeof served] : undefined
    if (name === `${pagePath}/`) return redirect(`${cut}${base}${pagePath}`)
    if (!isDocument && !file) return undefined
    if (method !== 'GET' && method !== 'HEAD') return refusal
    if (file) return fileAnswer(file[0], file[1])
    const body = await documentFor(`${cut}${base}` || '/')
    return { status: 200, headers: { ...safety, 'content-type': 'application/json' }, body }
  }
}

/** Read at the first request: whoever serves the API alone does not load the page. */
async function fileAnswer(file: keyof PageFiles, type: string): Promise<ApiDocsAnswer> {
  const { files } = await import('#page')
  return { status: 200, headers: { ...safety, 'content-type': type }, body: files[file] }
}

/** The document of this release as this host serves it. */
async function writtenDocument(server: string, versionHeader: string): Promise<string> {
  const { document } = await import('#document')
  const { components, info, ...rest } = JSON.parse(document)
  const { BetaVersion, ...parameters } = components.parameters
  return JSON.stringify({
    ...rest,
    info: { ...info, description: info.description.replaceAll(BetaVersion.name, versionHeader) },
    servers: [{ url: server }],
    components: { ...components, parameters: { BetaVersion: { ...BetaVersion, name: versionHeader }, ...parameters } },
  })
}

/** A host has one place, or few: the answer to the last question is kept. */
function rememberLast<T>(ask: (question: string) => Promise<T>): (question: string) => Promise<T> {
  let last: { readonly question: string; readonly answer: Promise<T> } | undefined
  return (question) => {
    if (last?.question !== question) last = { question, answer: ask(question) }
    return last.answer
  }
}

function redirect(location: string): ApiDocsAnswer {
  return { status: 308, headers: { ...safety, location }, body: '' }
}

const refusal: ApiDocsAnswer = { status: 405, headers: { ...safety, allow: 'GET, HEAD' }, body: '' }
