/** Compares texts in some order that all have: of those that will do, the one that is found fastest. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
