/**
 * Returns the SHA-256 of a code verifier in hex, from a code challenge, which contains it in base64url; undefined for
 * an invalid challenge (RFC 7636, 4.2).
 */
export function challengeHash(challenge: string): string | undefined {
  if (!/^[\w-]{43}$/.test(challenge)) return undefined
  const bytes = atob(`${challenge.replaceAll('-', '+').replaceAll('_', '/')}=`)
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Returns true for a text that can be a code verifier (RFC 7636, 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text)
}
