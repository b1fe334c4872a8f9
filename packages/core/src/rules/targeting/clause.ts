/** Operators that compare an attribute with the values of a clause (reference evaluation semantics). */
export const clauseOperators = [
  'in',
  'endsWith',
  'startsWith',
  'matches',
  'contains',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'before',
  'after',
  'segmentMatch',
  'semVerEqual',
  'semVerLessThan',
  'semVerGreaterThan',
] as const

export type ClauseOperator = (typeof clauseOperators)[number]

/** One condition on a context; a rule matches if all of its clauses match. */
export interface Clause {
  readonly _id: string
  readonly attribute: string
  readonly op: ClauseOperator
  /** For `segmentMatch`: segment keys. */
  readonly values: readonly ClauseValue[]
  readonly negate: boolean
  readonly contextKind: string
}

export type ClauseValue = string | number | boolean

/** Default kind of a context. */
export const userKind = 'user'

/** Keys of contexts of one kind that are targeted individually. */
export interface ContextTargets {
  readonly contextKind: string
  readonly values: readonly string[]
}

/** Returns the keys of the segments that clauses refer to. */
export function segmentKeysInClauses(clauses: readonly Clause[]): string[] {
  return clauses.filter((clause) => clause.op === 'segmentMatch').flatMap((clause) => clause.values.map(String))
}

/**
 * Adds an id to each clause without one.
 *
 * @param newId creates ids that are never used twice.
 */
export function withClauseIds(clauses: readonly ClauseWithoutId[], newId: () => string): Clause[] {
  return clauses.map((clause) => ({ ...clause, _id: clause._id ?? newId() }))
}

/** A clause as a caller sends it: a new clause has no id yet. */
export type ClauseWithoutId = Omit<Clause, '_id'> & { readonly _id?: string }
