import type { Clause } from './clause.ts'

/**
 * Any condition on a context. Rules here say "all of these clauses" and "the first rule that matches"; what other services
 * say besides, `compileCondition` says with segments.
 */
export type Condition =
  | { readonly kind: 'clause'; readonly clause: Clause }
  /** In a segment of the environment. */
  | { readonly kind: 'segment'; readonly key: string }
  | { readonly kind: 'share'; readonly share: Share }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }

/** Some of the contexts, by chance but for each always the same. */
export interface Share {
  /** Thousandths of a percent. */
  readonly weight: number
  readonly contextKind: string
  /** The attribute that decides; the key where left out. */
  readonly bucketBy?: string
  /** Tells shares apart that are dealt by themselves, such as the flag's key. */
  readonly name: string
}

export const always: Condition = { kind: 'all', of: [] }
export const never: Condition = { kind: 'any', of: [] }

/** Whether a context matches a clause. */
export function holds(clause: Clause): Condition {
  return { kind: 'clause', clause }
}

/** All at once; always where there is none. */
export function all(...of: readonly Condition[]): Condition {
  const parts = of.flatMap((one) => (one.kind === 'all' ? one.of : [one]))
  if (parts.some(isNever)) return never
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'all', of: parts }
}

/** One at least; never where there is none. */
export function any(...of: readonly Condition[]): Condition {
  const parts = of.flatMap((one) => (one.kind === 'any' ? one.of : [one]))
  if (parts.some(isAlways)) return always
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'any', of: parts }
}

/** Also where an attribute is missing: so it is not a negated clause. */
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
