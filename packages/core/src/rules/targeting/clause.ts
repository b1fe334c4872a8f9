/** How a clause compares an attribute with its values (reference evaluation semantics). */
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

/** One condition on a context; a rule matches when all of its clauses do. */
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

/** The kind of a context where none is named. */
export const userKind = 'user'

/** Contexts of one kind, named one by one. */
export interface ContextTargets {
  readonly contextKind: string
  readonly values: readonly string[]
}

/** The segments that a list of clauses refers to. */
export function segmentsNamed(clauses: readonly Clause[]): string[] {
  return clauses.filter((clause) => clause.op === 'segmentMatch').flatMap((clause) => clause.values.map(String))
}

/**
 * Gives an id to each clause that came without one.
 *
 * @param newId makes ids, each unique for ever.
 */
export function identified(clauses: readonly ClauseWithoutId[], newId: () => string): Clause[] {
  return clauses.map((clause) => ({ ...clause, _id: clause._id ?? newId() }))
}

/** A clause as a caller writes it: a new one has no id yet. */
export type ClauseWithoutId = Omit<Clause, '_id'> & { readonly _id?: string }
