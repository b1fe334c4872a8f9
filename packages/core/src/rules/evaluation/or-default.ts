import type { Evaluated } from './evaluated.ts'

/** The type of all values like one: `boolean` for `false`. */
export type Widened<T> = T extends boolean ? boolean : T extends string ? string : T extends number ? number : T

/**
 * What a flag is, with a default in place of a value that is missing or of another type: a program that has been promised a
 * number gets one. Objects and lists are one type; null and undefined take anything.
 */
export function orDefault<T>(evaluated: Evaluated, fallback: T): Evaluated<Widened<T>> {
  const { value, reason } = evaluated
  if (value === undefined) return { value: fallback as Widened<T>, variationIndex: null, reason }
  if (fallback === undefined || fallback === null || typeof value === typeof fallback) {
    return evaluated as Evaluated<Widened<T>>
  }
  return {
    value: fallback as Widened<T>,
    variationIndex: null,
    reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' },
  }
}
