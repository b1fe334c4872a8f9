import type { ErrorBody, ErrorCode } from '@halyard/core'
import { ApiError, NetworkError } from './errors.ts'

/** What a gateway in front that is too busy means, when it says so in words of its own. */
const codes: Readonly<Record<number, ErrorCode>> = { 429: 'rate_limited', 503: 'service_unavailable' }

/**
 * Reads an answer to its end.
 *
 * @param now integer ms, UTC.
 * @throws ApiError for what the API says no to, and NetworkError for what the API cannot have said.
 */
export async function readAnswer(response: Response, now: number): Promise<unknown> {
  const { ok, status } = response
  const text = await response.text()
  // Not only 204 has nothing to say.
  if (ok && !text) return undefined
  let body: Partial<ErrorBody> | undefined
  try {
    body = JSON.parse(text)
    if (ok) return body
  } catch {
    // What is no JSON is not the API's.
  }
  const code = body?.code ?? codes[status]
  if (ok || !code) throw new NetworkError(undefined, status)
  const headers = Object.fromEntries(response.headers)
  const { 'retry-after': after, 'x-ratelimit-reset': reset, 'x-request-id': requestId } = headers
  // In seconds or as a date (RFC 9110, 10.2.3), or for whom there are too many requests the end of the window (D13).
  const until =
    Number(after) >= 0 ? now + Number(after) * 1000 : after ? Date.parse(after) : status === 429 && Number(reset)
  const retryAfter = until ? Math.max(0, until - now) : undefined
  throw new ApiError({ code, message: code, ...body }, { status, headers, retryAfter, requestId })
}
