import { token } from './token.ts'

/** The error of an unsuccessful call of the API. */
export interface CallFailure extends Error {
  readonly status: number
}

/** Returns true for an error response of the API with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return (error as Partial<CallFailure>)?.status === status
}

const versionHeader =
  document.querySelector<HTMLMetaElement>('meta[name="halyard-version-header"]')?.content ?? 'SVC-API-Version'

/**
 * Calls the API on this origin.
 * @param path path below `/api/v2/`.
 * @throws CallFailure with the message of the API; its status is 0 when the server cannot be reached.
 */
export function callApi<Result>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Result> {
  const value = token.read()
  const headers = { ...(value === undefined ? {} : { authorization: value }), [versionHeader]: 'beta' }
  return exchange(`${path}?${new URLSearchParams(query)}`, { headers })
}

/**
 * Sends a body to an operation that needs no token.
 * @param path path below `/api/v2/`.
 * @throws CallFailure as `callApi` does.
 */
export function sendToApi<Result>(path: string, body: object): Promise<Result> {
  return exchange(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function exchange<Result>(path: string, init: RequestInit): Promise<Result> {
  const response = await fetch(`api/v2/${path}`, init).catch(() =>
    fail(0, 'The server cannot be reached. Is it running?'),
  )
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Result
  throw fail(response.status, sentenceOf(response, text))
}

/** Reads all items of a list, page by page. */
export async function listAll<Item>(
  path: string,
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const pageQuery = { ...query, limit: String(limit), offset: String(items.length) }
    const page = await callApi<{ items: Item[]; totalCount: number }>(path, pageQuery)
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.totalCount) return items
  }
}

function fail(status: number, message: string): never {
  throw Object.assign(new Error(message), { status })
}

interface ErrorBody {
  readonly message?: string
  readonly errors?: readonly { readonly attribute: string; readonly reason: string }[]
}

function sentenceOf(response: Response, text: string): string {
  const { message, errors } = readError(text)
  const validationErrors = (errors ?? []).map(({ attribute, reason }) => `${attribute} ${reason}`)
  const retryAfter = response.headers.get('retry-after')
  return [
    message ?? `The server responded with status ${response.status}`,
    ...(validationErrors.length > 0 ? [`: ${validationErrors.join('; ')}`] : []),
    ...(retryAfter ? [`. Try again in ${retryAfter} seconds`] : []),
    '.',
  ].join('')
}

function readError(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}
