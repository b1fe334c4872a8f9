import { parseHttpUrl } from './http-url.ts'

/** Loopback addresses as a URL parser formats them; `localhost` may resolve to another address (RFC 8252, 8.3). */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/**
 * Returns true if an OAuth 2.0 server may send users with an authorization code to this URI: an absolute `https` URI
 * without a fragment (RFC 6749, 3.1.2), or `http` if it stays on the user's own machine (RFC 8252, 7.3).
 */
export function isRedirectUri(text: string): boolean {
  const url = parseHttpUrl(text)
  if (!url || text.includes('#')) return false
  return url.protocol === 'https:' || loopback.has(url.hostname)
}
