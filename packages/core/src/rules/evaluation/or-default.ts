import type { EvaluationResult } from './evaluation-result.ts'

/** Widens a literal type to its primitive type: `boolean` for `false`. */
export type Widen<T> = T extends boolean ? boolean : T extends string ? string : T extends number ? number : T

/**
 * Replaces the value of a result by a default if the value is missing or of another type, so that a program that
 * expects a number always gets one. Objects and arrays count as one type; a default of null or undefined accepts any
 * value.
 */
export function orDefault<T>(result: EvaluationResult, fallback: T): EvaluationResult<Widen<T>> {
  const { value, reason } = result
  if (value === undefined) return { value: fallback as Widen<T>, variationIndex: null, reason }
  if (fallback === undefined || fallback === null || typeof value === typeof fallback) {
    return result as EvaluationResult<Widen<T>>
  }
  return {
    value: fallback as Widen<T>,
    variationIndex: null,
    reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' },
  }
}
