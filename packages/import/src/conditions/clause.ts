/** The kind of context that services have which know of no kinds. */
export const userKind = 'user'

/** How a clause compares: the operators that the API takes. */
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

/** One condition on a context: of its values one is enough. A context without the attribute does not match, negated or not. */
export interface Clause {
  /** Made anew where it is left out. */
  readonly _id?: string
  readonly contextKind: string
  /** A name, or a reference such as `/address/city`; empty for `segmentMatch`. */
  readonly attribute: string
  readonly op: ClauseOperator
  readonly values: readonly ClauseValue[]
  readonly negate: boolean
}

/** A clause about an attribute of users. */
export function userClause(attribute: string, op: ClauseOperator, values: readonly ClauseValue[]): Clause {
  return { contextKind: userKind, attribute, op, values, negate: false }
}

/** A clause that asks for membership of any of the segments. */
export function segmentClause(keys: readonly string[], negate = false): Clause {
  return { contextKind: userKind, attribute: '', op: 'segmentMatch', values: keys, negate }
}
