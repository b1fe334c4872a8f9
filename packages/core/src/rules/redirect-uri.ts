import { parseHttpUrl } from './http-url.ts'

/** Loopback addresses as a URL parser writes them; `localhost` may lead elsewhere (RFC 8252, 8.3). */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/**
 * Whether an OAuth 2.0 client may have its users sent back to this URI with a code that is worth their access: an
 * absolute `https` URI without a fragment (RFC 6749, 3.1.2), or `http` where it stays on the user's own machine
 * (RFC 8252, 7.3).
 */
export function isRedirectUri(text: string): boolean {
  const url = parseHttpUrl(text)
  if (!url || text.includes('#')) return false
  return url.protocol === 'https:' || loopback.has(url.hostname)
}
