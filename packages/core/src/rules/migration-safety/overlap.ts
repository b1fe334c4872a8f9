import { type CompiledClause, holdsAll } from './compiled-clause.ts'

/** How much may still be compared; when it is used up, everything counts as possible. */
export interface Effort {
  left: number
}

type Clauses = readonly CompiledClause[]

/**
 * Whether there can be a context that matches all of `wanted` and none of the rules that come first.
 *
 * `false` is a proof, `true` is not: what cannot be decided from the clauses alone counts as possible. A clause matches
 * when one of its values does, a negated one when none does; both need the attribute to be there. So
 *  - a clause about `a` or `b` implies one about `a`, `b` or `c`, and its negation the other way round;
 *  - nothing is both in a list and not in a longer one, and of `key`, `name` and `anonymous`, which are never lists,
 *    nothing is in two lists that have no value in common;
 *  - a value for which a rule that comes first would match is of no use to `wanted`; when no value is left, nothing is.
 */
export function canOccur(wanted: Clauses, first: Iterable<Clauses>, effort: Effort): boolean {
  const open = wanted.filter(({ negate }) => !negate).map((clause) => ({ clause, left: new Set(clause.values) }))
  for (const { values } of wanted) effort.left -= values.size
  for (const one of open) narrow(one, wanted)
  if (open.some(({ left }) => left.size === 0)) return false
  for (const rule of first) {
    effort.left -= 1 + rule.length * wanted.length
    if (effort.left < 0) return true
    const unmet = rule.filter((clause) => !wanted.some((premise) => implies(premise, clause, effort)))
    const [only, ...more] = unmet
    if (!only) return false
    if (more.length > 0 || only.negate) continue
    for (const { clause, left } of open) if (clause.about === only.about) removeAll(left, only.values, effort)
    if (open.some(({ left }) => left.size === 0)) return false
  }
  return true
}

interface OpenClause {
  readonly clause: CompiledClause
  /** Its values of which one can still be what a context matches by. */
  readonly left: Set<string>
}

/** Leaves the values that agree with what else is wanted. */
function narrow({ clause, left }: OpenClause, wanted: Clauses): void {
  for (const other of wanted) {
    if (other === clause || other.about !== clause.about) continue
    for (const value of left) {
      const there = other.values.has(value)
      if (other.negate ? there : !there && clause.exclusive) left.delete(value)
    }
  }
}

function implies(premise: CompiledClause, clause: CompiledClause, effort: Effort): boolean {
  if (premise.about !== clause.about || premise.negate !== clause.negate) return false
  const [part, whole] = premise.negate ? [clause, premise] : [premise, clause]
  effort.left -= part.values.size
  return holdsAll(whole.values, part.values)
}

function removeAll(from: Set<string>, values: ReadonlySet<string>, effort: Effort): void {
  effort.left -= Math.min(from.size, values.size)
  const [fewer, more] = from.size < values.size ? [from, values] : [values, from]
  for (const value of fewer) if (more.has(value)) from.delete(value)
}
