import type { ErrorBody, ErrorCode } from '@halyard/core'
import { ApiError, NetworkError } from './errors.ts'

/** Error codes for the responses of a gateway, whose body is not the error body of the API. */
const gatewayCodes: Readonly<Record<number, ErrorCode>> = { 429: 'rate_limited', 503: 'service_unavailable' }

/**
 * Reads the body of a response.
 *
 * @param now integer ms, UTC.
 * @returns the JSON body; undefined when the body is empty.
 * @throws ApiError for an error of the API; NetworkError for a response that is not the API's.
 */
export async function readResponse(response: Response, now: number): Promise<unknown> {
  const { ok, status } = response
  const text = await response.text()
  if (ok && text === '') return undefined
  const json = parseJson(text)
  if (ok && json !== undefined) return json
  const body = json as Partial<ErrorBody> | undefined
  const code = body?.code ?? gatewayCodes[status]
  if (ok || !code) throw new NetworkError(undefined, status)
  const headers = Object.fromEntries(response.headers)
  const details = {
    status,
    headers,
    retryAfter: retryAfterOf(status, headers, now),
    requestId: headers['x-request-id'],
  }
  throw new ApiError({ code, message: code, ...body }, details)
}

/** Parses a JSON text. Returns undefined for a text that is not JSON, because JSON has no undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the delay that the API requests, integer ms; undefined when the response contains none. `Retry-After` is a
 * number of seconds or a date (RFC 9110, 10.2.3). Without it, the delay of a rate limit ends with the window.
 */
function retryAfterOf(status: number, headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const { 'retry-after': retryAfter = '', 'x-ratelimit-reset': reset } = headers
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  const time = retryAfter ? Date.parse(retryAfter) : status === 429 && Number(reset)
  return time ? Math.max(0, time - now) : undefined
}
