import type { Clause } from '../targeting/clause.ts'

/** A clause made ready to be compared with others many times. */
export interface CompiledClause {
  /** What is looked at, and how: clauses that differ in it say nothing of each other. */
  readonly about: string
  readonly negate: boolean
  /** As JSON, so that `1` and `"1"` stay two. */
  readonly values: ReadonlySet<string>
  /** Whether a context has one value at most that can be in the list. */
  readonly exclusive: boolean
}

/** Attributes that are never lists: of two lists that have nothing in common, a context can be in one only. */
const singleAttributes: readonly string[] = ['key', 'name', 'anonymous']

export function compileClauses(clauses: readonly Clause[]): CompiledClause[] {
  return clauses.map(({ contextKind, attribute, op, values, negate }) => ({
    about: JSON.stringify([contextKind, attribute, op]),
    negate,
    values: new Set(values.map((value) => JSON.stringify(value))),
    exclusive: op === 'in' && singleAttributes.includes(attribute),
  }))
}

/** Whether two lists of clauses are the same, in whatever order. */
export function sameClauses(a: readonly CompiledClause[], b: readonly CompiledClause[]): boolean {
  return a.length === b.length && covers(a, b) && covers(b, a)
}

function covers(a: readonly CompiledClause[], b: readonly CompiledClause[]): boolean {
  return b.every((one) => a.some((other) => sameClause(one, other)))
}

function sameClause(a: CompiledClause, b: CompiledClause): boolean {
  if (a.about !== b.about || a.negate !== b.negate || a.values.size !== b.values.size) return false
  return holdsAll(b.values, a.values)
}

/** Whether `whole` has every value of `part`. */
export function holdsAll(whole: ReadonlySet<string>, part: ReadonlySet<string>): boolean {
  if (part.size > whole.size) return false
  for (const value of part) if (!whole.has(value)) return false
  return true
}
