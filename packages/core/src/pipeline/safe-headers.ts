/** No browser may guess at an answer, show it in a frame or run anything in it, or keep it. */
const safe = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const

/** What every answer over a transport begins with. */
export function safeHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, ...safe }
}

/** An answer with an ETag may be kept by the browser of its caller, which asks each time whether it still is so. */
export function keepable(headers: Record<string, string>): void {
  if (headers.etag !== undefined) headers['cache-control'] = 'private, no-cache'
}
