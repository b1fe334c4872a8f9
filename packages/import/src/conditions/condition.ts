import type { Clause } from './clause.ts'

/**
 * Any condition on a context. Rules of Halyard express "all of these clauses" and "the first rule that matches";
 * `compileCondition` expresses everything else that other services support with segments.
 */
export type Condition =
  | { readonly kind: 'clause'; readonly clause: Clause }
  /** Membership in a segment of the environment. */
  | { readonly kind: 'segment'; readonly key: string }
  | { readonly kind: 'share'; readonly share: Share }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }

/** A percentage of the contexts. A hash selects them, so each evaluation selects the same contexts. */
export interface Share {
  /** Thousandths of a percent. */
  readonly weight: number
  readonly contextKind: string
  /** The attribute by which contexts are bucketed; the key when omitted. */
  readonly bucketBy?: string
  /** Distinguishes shares that are decided independently of each other, e.g. the flag's key. */
  readonly name: string
}

export const always: Condition = { kind: 'all', of: [] }
export const never: Condition = { kind: 'any', of: [] }

/** Returns a condition that is true when a context matches a clause. */
export function clauseCondition(clause: Clause): Condition {
  return { kind: 'clause', clause }
}

/** Returns the conjunction of conditions. Without conditions it is always true. */
export function all(...of: readonly Condition[]): Condition {
  const parts = of.flatMap((part) => (part.kind === 'all' ? part.of : [part]))
  if (parts.some(isNever)) return never
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'all', of: parts }
}

/** Returns the disjunction of conditions. Without conditions it is never true. */
export function any(...of: readonly Condition[]): Condition {
  const parts = of.flatMap((part) => (part.kind === 'any' ? part.of : [part]))
  if (parts.some(isAlways)) return always
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'any', of: parts }
}

/** Returns the negation, which is also true when an attribute is missing and thus differs from a negated clause. */
export function not(of: Condition): Condition {
  if (isAlways(of)) return never
  if (isNever(of)) return always
  return of.kind === 'not' ? of.of : { kind: 'not', of }
}

export function isAlways({ kind, of }: Condition & { readonly of?: unknown }): boolean {
  return kind === 'all' && (of as readonly unknown[]).length === 0
}

export function isNever({ kind, of }: Condition & { readonly of?: unknown }): boolean {
  return kind === 'any' && (of as readonly unknown[]).length === 0
}
