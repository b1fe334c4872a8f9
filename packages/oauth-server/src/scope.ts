/** Returns the scopes of a parameter (RFC 6749, 3.3), each once. */
export function scopesOf(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))]
}
