import { type CompiledClause, holdsAll } from './compiled-clause.ts'

/** Remaining number of comparisons; if it is used up, everything counts as possible. */
export interface Effort {
  left: number
}

type Clauses = readonly CompiledClause[]

/**
 * Returns true if there can be a context that matches all of `required` and none of the rules that come earlier.
 *
 * `false` is a proof, `true` is not: everything that cannot be decided from the clauses alone counts as possible. A
 * clause matches if one of its values does, a negated one if none does; both require the attribute to be present. So -
 * a clause about `a` or `b` implies one about `a`, `b` or `c`, and its negation the other way round; - no value is both
 * in a list and not in a longer one, and for `key`, `name` and `anonymous`, which are never lists, no value is in two
 * lists without a common value; - a value for which an earlier rule would match cannot satisfy `required`; if no value
 * remains, no context can match.
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
  /** Values of the clause by which a context can still match. */
  readonly left: Set<string>
}

/** Removes the values that contradict the other required clauses. */
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
