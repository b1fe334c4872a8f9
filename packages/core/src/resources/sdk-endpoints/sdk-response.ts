import type { LiveResponse } from '../../operation/live-response.ts'

/** A response to an SDK. */
export interface SdkResponse extends LiveResponse {
  /** Revision of the data. */
  readonly etag?: string
}

/** The response to a report, whose result an SDK does not need. */
export const accepted: SdkResponse = { status: 202, headers: {}, body: undefined }

/** Headers of a stream. Proxies must not buffer it. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Returns a response with JSON. */
export function json(body: string): SdkResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

/**
 * Returns a response that the SDK, and the cache of its HTTP client, may use without another request.
 *
 * @param minutes `defaultTtl` of the environment; with 0 the response stays as it is.
 */
export function withMaxAge(response: SdkResponse, minutes: number): SdkResponse {
  if (minutes === 0) return response
  const caching = { 'cache-control': `private, max-age=${minutes * 60}`, vary: 'authorization' }
  return { ...response, headers: { ...response.headers, ...caching } }
}
