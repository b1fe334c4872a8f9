/**
 * Compares texts by UTF-16 code units. Callers need some order that all processes share, and this is the fastest one.
 */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
