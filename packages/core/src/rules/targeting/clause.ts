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

/** Contexts of one kind, named one by one. */
export interface ContextTargets {
  readonly contextKind: string
  readonly values: readonly string[]
}

/** The segments that a list of clauses refers to. */
export function segmentsNamed(clauses: readonly Clause[]): string[] {
  return clauses.filter((clause) => clause.op === 'segmentMatch').flatMap((clause) => clause.values.map(String))
}
