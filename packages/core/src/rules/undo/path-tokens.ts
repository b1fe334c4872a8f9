/** Returns a token of a JSON Pointer without its escapes (RFC 6901). */
export function parseToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns the name of the property at the root of a JSON Pointer; '' for the whole document. */
export function rootProperty(path: string): string {
  return parseToken(path.split('/')[1] ?? '')
}
