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

const loopbackAuthority = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/i

/**
 * Returns true if a requested redirect URI is the registered one. They are compared as texts (RFC 9700, 4.1.3), except
 * for the port of a loopback address, which the operating system selects for a native application (RFC 8252, 7.3).
 */
export function isSameRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const known = loopbackAuthority.exec(registered)
  const requestedAuthority = loopbackAuthority.exec(requested)
  if (!known || !requestedAuthority || !isRedirectUri(requested)) return false
  return (
    known[1] === requestedAuthority[1] &&
    registered.slice(known[0].length) === requested.slice(requestedAuthority[0].length)
  )
}
