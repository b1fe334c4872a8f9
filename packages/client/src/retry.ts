import type { ApiError, NetworkError } from './errors.ts'
import type { ClientSettings } from './options.ts'
import type { PreparedRequest } from './request.ts'

/** Base and maximum of the random part of a delay, ms. */
const firstBackoff = 250
const maxBackoff = 10_000

/** Methods that have the same effect when the server processes them twice (RFC 9110, 9.2.2). */
const idempotentMethods = ['GET', 'PUT', 'DELETE']

/** The error of an attempt, and its number. */
export interface FailedAttempt {
  readonly error: ApiError | NetworkError
  /** Number of retries so far. */
  readonly attempt: number
}

/** Returns the delay before the next attempt in ms, or undefined when the call must not be sent again. */
export function retryDelay(
  { retries, random }: Pick<ClientSettings, 'retries' | 'random'>,
  { method, body }: PreparedRequest,
  { error, attempt }: FailedAttempt,
): number | undefined {
  // A stream can be read only once.
  const isStream = typeof body === 'object'
  if (attempt >= retries || isStream || !isRetryable(error, method)) return undefined
  const backoff = random() * Math.min(maxBackoff, firstBackoff * 2 ** attempt)
  return (error.retryAfter ?? 0) + backoff
}

function isRetryable(error: ApiError | NetworkError, method: string): boolean {
  const { status, retryAfter } = error
  // The API rejects such a request before it processes it.
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return true
  return idempotentMethods.includes(method) && (status === undefined || status >= 502)
}
