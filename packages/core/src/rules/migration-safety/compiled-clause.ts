import type { Clause } from '../targeting/clause.ts'

/** A clause that is prepared for many comparisons with others. */
export interface CompiledClause {
  /** Kind, attribute and operator. Clauses with different subjects cannot be compared. */
  readonly subject: string
  readonly negate: boolean
  /** Values as JSON, so that `1` and `"1"` are different. */
  readonly values: ReadonlySet<string>
  /** True if a context has at most one value that can be in the list. */
  readonly exclusive: boolean
}

/**
 * Attributes that are never lists. So when two lists of values have no common value, a context can match only one of
 * them.
 */
const singleAttributes: readonly string[] = ['key', 'name', 'anonymous']

export function compileClauses(clauses: readonly Clause[]): CompiledClause[] {
  return clauses.map(({ contextKind, attribute, op, values, negate }) => ({
    subject: JSON.stringify([contextKind, attribute, op]),
    negate,
    values: new Set(values.map((value) => JSON.stringify(value))),
    exclusive: op === 'in' && singleAttributes.includes(attribute),
  }))
}

/** Returns true if two lists of clauses are equal, regardless of order. */
export function sameClauses(a: readonly CompiledClause[], b: readonly CompiledClause[]): boolean {
  return a.length === b.length && covers(a, b) && covers(b, a)
}

function covers(a: readonly CompiledClause[], b: readonly CompiledClause[]): boolean {
  return b.every((clause) => a.some((other) => sameClause(clause, other)))
}

function sameClause(a: CompiledClause, b: CompiledClause): boolean {
  if (a.subject !== b.subject || a.negate !== b.negate || a.values.size !== b.values.size) return false
  return containsAll(b.values, a.values)
}

/** Returns true if `superset` contains every value of `subset`. */
export function containsAll(superset: ReadonlySet<string>, subset: ReadonlySet<string>): boolean {
  if (subset.size > superset.size) return false
  for (const value of subset) if (!superset.has(value)) return false
  return true
}
