import { type CompiledClause, containsAll } from './compiled-clause.ts'

/** Remaining number of comparisons; if it is used up, everything counts as possible. */
export interface Effort {
  remaining: number
}

type Clauses = readonly CompiledClause[]

/**
 * Returns true if there can be a context that matches all of `required` and none of the rules that come earlier.
 *
 * `false` is a proof, `true` is not: everything that cannot be decided from the clauses alone counts as possible. A
 * clause matches if one of its values does, a negated one if none does; both require the attribute to be present. So
 * "in `a`, `b`" implies "in `a`, `b`, `c`", and "not in `a`, `b`, `c`" implies "not in `a`, `b`". Therefore "in `a`"
 * and "not in `a`, `b`" exclude each other. The attributes `key`, `name` and `anonymous` are never lists, so for them
 * "in `a`" and "in `b`" also exclude each other. A value for which an earlier rule would match cannot satisfy
 * `required`; if no value remains, no context can match.
 */
export function canOccur(required: Clauses, earlierRules: Iterable<Clauses>, effort: Effort): boolean {
  const openClauses = required
    .filter(({ negate }) => !negate)
    .map((clause) => ({ clause, possibleValues: new Set(clause.values) }))
  for (const { values } of required) effort.remaining -= values.size
  for (const openClause of openClauses) narrow(openClause, required)
  if (openClauses.some(({ possibleValues }) => possibleValues.size === 0)) return false
  for (const rule of earlierRules) {
    effort.remaining -= 1 + rule.length * required.length
    if (effort.remaining < 0) return true
    const undecided = rule.filter((clause) => !required.some((premise) => implies(premise, clause, effort)))
    const [only, ...others] = undecided
    if (!only) return false
    if (others.length > 0 || only.negate) continue
    for (const { clause, possibleValues } of openClauses)
      if (clause.subject === only.subject) removeAll(possibleValues, only.values, effort)
    if (openClauses.some(({ possibleValues }) => possibleValues.size === 0)) return false
  }
  return true
}

interface OpenClause {
  readonly clause: CompiledClause
  /** Values of the clause by which a context can still match. */
  readonly possibleValues: Set<string>
}

/** Removes the values that contradict the other required clauses. */
function narrow({ clause, possibleValues }: OpenClause, required: Clauses): void {
  for (const other of required) {
    if (other === clause || other.subject !== clause.subject) continue
    for (const value of possibleValues) {
      const isListed = other.values.has(value)
      if (other.negate ? isListed : !isListed && clause.exclusive) possibleValues.delete(value)
    }
  }
}

function implies(premise: CompiledClause, clause: CompiledClause, effort: Effort): boolean {
  if (premise.subject !== clause.subject || premise.negate !== clause.negate) return false
  const [subset, superset] = premise.negate ? [clause, premise] : [premise, clause]
  effort.remaining -= subset.values.size
  return containsAll(superset.values, subset.values)
}

function removeAll(from: Set<string>, values: ReadonlySet<string>, effort: Effort): void {
  effort.remaining -= Math.min(from.size, values.size)
  const [smaller, larger] = from.size < values.size ? [from, values] : [values, from]
  for (const value of smaller) if (larger.has(value)) from.delete(value)
}
