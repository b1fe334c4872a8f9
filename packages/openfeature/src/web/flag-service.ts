import type { EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import { ProviderFatalError } from '@openfeature/core'
import { type EvaluatedFlags, evaluatedFlags } from './evaluated-flags.ts'

/** The service that evaluates flags for browsers. */
export interface FlagService {
  /** URL of the service, e.g. `https://flags.example.test`. */
  readonly baseUrl: string
  /** Client-side id of the environment. */
  readonly environmentId: string
  readonly fetch: typeof fetch
  /** Time limit of a request, ms. */
  readonly timeoutMs: number
}

/** A response of the service. */
export interface FlagResponse {
  readonly url: string
  readonly etag: string | undefined
  readonly flags: EvaluatedFlags
}

/** Statuses for an environment that does not exist or that the page may not read. */
const fatalStatuses: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Requests the flags of a context.
 *
 * @param previous the previous response; the service need not send it again when it is current.
 * @returns `previous` when it is current.
 * @throws ProviderFatalError when the environment does not exist; Error when there is no response with flags; the
 *   reason of the signal when it is aborted.
 */
export async function fetchFlags(
  service: FlagService,
  page: PageContext,
  previous: FlagResponse | undefined,
  signal: AbortSignal,
): Promise<FlagResponse> {
  const { context, hash } = page
  signal.throwIfAborted()
  const url = contextUrl(service, '/sdk/evalx/{environment}/contexts/{context}', { context, hash })
  const etag = previous?.url === url ? previous.etag : undefined
  const headers = { accept: 'application/json', ...(etag === undefined ? {} : { 'if-none-match': etag }) }
  return withTimeout(service.timeoutMs, signal, async (timeoutSignal) => {
    const response = await service.fetch(url, { headers, credentials: 'omit', signal: timeoutSignal })
    if (response.status === 304 && previous) return previous
    if (!response.ok) throw statusError(response)
    return { url, etag: response.headers.get('etag') ?? undefined, flags: evaluatedFlags(await response.json()) }
  })
}

/** The context of a page, and the proof of it for environments in secure mode. */
export interface PageContext {
  readonly context: HalyardContext
  readonly hash: string | undefined
}

/**
 * Returns the URL of the service for a context.
 *
 * @param template path with `{environment}` and `{context}`.
 */
export function contextUrl(
  { baseUrl, environmentId }: FlagService,
  template: string,
  { context, hash }: PageContext,
): string {
  const query = new URLSearchParams({ withReasons: 'true', ...(hash === undefined ? {} : { h: hash }) })
  const path = template
    .replace('{environment}', () => encodeURIComponent(environmentId))
    .replace('{context}', () => base64url(JSON.stringify(context)))
  return `${baseUrl.replace(/\/+$/, '')}${path}?${query}`
}

function statusError({ status, statusText }: Response): Error {
  const message = `the request for flags failed: ${status} ${statusText}`.trim()
  return fatalStatuses.has(status) ? new ProviderFatalError(message) : new Error(message)
}

/** Runs a request with a signal that is aborted after a time limit, or when another signal is aborted. */
async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${ms} ms`)), ms)
  signal.addEventListener('abort', abort)
  try {
    return await request(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Encodes a text in UTF-8 as base64url (RFC 4648, 5), without padding. */
export function base64url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
