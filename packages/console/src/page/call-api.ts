import { token } from './token.ts'

/** Why the API did not answer what was asked. */
export interface CallFailure extends Error {
  readonly status: number
}

/** Whether a failure is an answer of the API with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return (error as Partial<CallFailure>)?.status === status
}

const versionHeader =
  document.querySelector<HTMLMetaElement>('meta[name="halyard-version-header"]')?.content ?? 'SVC-API-Version'

/**
 * Asks the API of this origin.
 *
 * @param path below `/api/v2/`.
 * @throws CallFailure telling what the API said, with status 0 where nobody answers.
 */
export async function callApi<Answer>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(`api/v2/${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: token.read() ?? '', [versionHeader]: 'beta' },
  }).catch(() => fail(0, 'The server does not answer. Is it running?'))
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Answer
  throw fail(response.status, sentenceOf(response, text))
}

/** Everything that a list has, page by page. */
export async function listAll<Item>(
  path: string,
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const asked = { ...query, limit: String(limit), offset: String(items.length) }
    const page = await callApi<{ items: Item[]; totalCount: number }>(path, asked)
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.totalCount) return items
  }
}

function fail(status: number, message: string): never {
  throw Object.assign(new Error(message), { status })
}

interface ErrorAnswer {
  readonly message?: string
  readonly errors?: readonly { readonly attribute: string; readonly reason: string }[]
}

function sentenceOf(response: Response, text: string): string {
  const { message, errors } = readError(text)
  const faults = (errors ?? []).map(({ attribute, reason }) => `${attribute} ${reason}`)
  const wait = response.headers.get('retry-after')
  return [
    message ?? `The server answers with status ${response.status}`,
    ...(faults.length > 0 ? [`: ${faults.join('; ')}`] : []),
    ...(wait ? [`. Try again in ${wait} seconds`] : []),
    '.',
  ].join('')
}

function readError(text: string): ErrorAnswer {
  try {
    return JSON.parse(text) as ErrorAnswer
  } catch {
    return {}
  }
}
