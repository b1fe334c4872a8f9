/** The kind of imported contexts from services without context kinds. */
export const userKind = 'user'

/** The operators that the API accepts in a clause. */
export type ClauseOperator =
  | 'in'
  | 'endsWith'
  | 'startsWith'
  | 'matches'
  | 'contains'
  | 'lessThan'
  | 'lessThanOrEqual'
  | 'greaterThan'
  | 'greaterThanOrEqual'
  | 'before'
  | 'after'
  | 'segmentMatch'
  | 'semVerEqual'
  | 'semVerLessThan'
  | 'semVerGreaterThan'

export type ClauseValue = string | number | boolean

/**
 * One condition on a context, which is met when the attribute matches any of the values. A context without the
 * attribute does not match, whether or not the clause is negated.
 */
export interface Clause {
  /** Generated when omitted. */
  readonly _id?: string
  readonly contextKind: string
  /** A name, or a reference such as `/address/city`; empty for `segmentMatch`. */
  readonly attribute: string
  readonly op: ClauseOperator
  readonly values: readonly ClauseValue[]
  readonly negate: boolean
}

/** Returns a clause on an attribute of users. */
export function userClause(attribute: string, op: ClauseOperator, values: readonly ClauseValue[]): Clause {
  return { contextKind: userKind, attribute, op, values, negate: false }
}

/** Returns a clause that tests for membership in any of the segments. */
export function segmentClause(keys: readonly string[], negate = false): Clause {
  return { contextKind: userKind, attribute: '', op: 'segmentMatch', values: keys, negate }
}
