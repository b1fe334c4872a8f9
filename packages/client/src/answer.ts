import type { ErrorBody } from '@halyard/core'
import { ApiError, NetworkError } from './errors.ts'

/**
 * Reads an answer to its end.
 *
 * @param now integer ms, UTC.
 * @throws ApiError for what the API says no to, and NetworkError for what the API cannot have said.
 */
export async function readAnswer(response: Response, now: number): Promise<unknown> {
  const { ok, status } = response
  const text = await response.text()
  if (status === 204) return undefined
  let body: Partial<ErrorBody> | undefined
  try {
    body = JSON.parse(text)
    if (ok) return body
  } catch {
    // Of a gateway in front; what it says is not for programs.
  }
  // A gateway that is too busy means by these what the API does.
  const code = body?.code ?? (status === 429 ? 'rate_limited' : status === 503 && 'service_unavailable')
  if (ok || !code) throw new NetworkError(`${status} is no answer of the API`, status)
  const headers = Object.fromEntries(response.headers)
  throw new ApiError({ message: code, ...body, code }, status, headers, retryAfterIn(headers, status, now))
}

/**
 * How long the API asks to wait, integer ms: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3), or for whom there
 * are too many requests the end of the window (D13).
 */
function retryAfterIn(
  { 'retry-after': after, 'x-ratelimit-reset': reset }: Readonly<Record<string, string>>,
  status: number,
  now: number,
): number | undefined {
  const wait = Number(after) * 1000
  const until = wait >= 0 ? now + wait : after ? Date.parse(after) : Number(status === 429 ? reset : NaN)
  return until ? Math.max(0, until - now) : undefined
}
