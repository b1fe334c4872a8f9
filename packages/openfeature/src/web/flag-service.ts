import type { EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import { ProviderFatalError } from '@openfeature/core'
import { type EvaluatedFlags, evaluatedFlags } from './evaluated-flags.ts'

export interface FlagServiceOptions {
  /** Where the service is, e.g. `https://flags.example.test`. */
  readonly baseUrl: string
  /** The client-side id of the environment. */
  readonly environmentId: string
  readonly fetch: typeof fetch
  /** After how long a request that is not answered has failed, ms. */
  readonly timeoutMs: number
}

/** What was read, and under what name. */
export interface ReadFlags {
  readonly url: string
  readonly etag: string | undefined
  readonly flags: EvaluatedFlags
}

/** Statuses that say that there is no such environment, or that it is none for us. */
const wrongKey: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Asks a service what flags are for a context.
 *
 * @param hash that proves the context to environments in secure mode.
 * @param known what was read before, which is not sent again where it is still so.
 * @throws ProviderFatalError when there is no such environment; Error when it is not answered, or not with flags; whatever the signal is aborted with.
 */
export async function readFlags(
  { baseUrl, environmentId, fetch, timeoutMs }: FlagServiceOptions,
  context: HalyardContext,
  hash: string | undefined,
  known: ReadFlags | undefined,
  signal: AbortSignal,
): Promise<ReadFlags> {
  const query = new URLSearchParams({ withReasons: 'true', ...(hash === undefined ? {} : { h: hash }) })
  const path = `/sdk/evalx/${encodeURIComponent(environmentId)}/contexts/${base64url(JSON.stringify(context))}`
  const url = `${baseUrl.replace(/\/+$/, '')}${path}?${query}`
  const etag = known?.url === url ? known.etag : undefined
  const ended = new AbortController()
  const abort = () => ended.abort(signal.reason)
  const timer = setTimeout(() => ended.abort(new Error(`not answered within ${timeoutMs} ms`)), timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    const answer = await fetch(url, {
      headers: { accept: 'application/json', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      credentials: 'omit',
      signal: ended.signal,
    })
    if (answer.status === 304 && known) return known
    if (!answer.ok) {
      const message = `the flags could not be read: ${answer.status} ${answer.statusText}`.trim()
      throw wrongKey.has(answer.status) ? new ProviderFatalError(message) : new Error(message)
    }
    const flags = evaluatedFlags(await answer.json())
    return { url, etag: answer.headers.get('etag') ?? undefined, flags }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** RFC 4648, 5, of the text in UTF-8. */
export function base64url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
