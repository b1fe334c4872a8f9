import type { Cohort, Cohorts } from './cohorts.ts'
import { type CompiledClause, sameClauses } from './compiled-clause.ts'
import { keptInOrder } from './kept-in-order.ts'
import { canOccur, type Effort } from './overlap.ts'

/** What happened to a rule so that contexts changed their cohort. */
export type RuleChange = 'added' | 'removed' | 'moved' | 'clauses'

/** A way that contexts can have gone: out of one cohort and into another, or nowhere. */
export interface Move {
  readonly from: Cohort
  readonly to: Cohort
  /** The rule that made them go; undefined for those that stay in their cohort. */
  readonly cause: { readonly cohort: Cohort; readonly change: RuleChange } | undefined
}

/** Values and clauses that are compared at most: a quarter of a second, as nothing else runs meanwhile. */
const mostEffort = 4_000_000

/**
 * All ways that contexts can have gone from the cohorts before to those after.
 *
 * A context is in the first cohort whose clauses it matches. Where it leaves one, either that one has let it go
 * (it was removed, its clauses changed, or it stands further back) or another has caught it first (it is new, its
 * clauses changed, or it stands further ahead): that rule is the cause.
 *
 * @param worth whether it matters that contexts go from one to the other; only then is it found out whether they can.
 */
export function movesBetween(before: Cohorts, after: Cohorts, worth: (from: Cohort, to: Cohort) => boolean): Move[] {
  const effort: Effort = { left: mostEffort }
  const kept = keptInOrder(
    before.list.map(({ id }) => id),
    after.list.map(({ id }) => id),
  )
  const changed = new Set<string>()
  for (const { id, clauses } of before.list) {
    const now = after.byId.get(id)
    if (now && !sameClauses(clauses, now.clauses)) changed.add(id)
  }
  const causeOf = causeFinder(before, after, changed, kept)
  const steady = (id: string) => kept.has(id) && !changed.has(id)
  const moves: Move[] = []
  for (const to of after.list) {
    for (const from of before.list) {
      const stays = from.id === to.id
      if (!stays && steady(from.id) && steady(to.id)) continue
      const cause = stays ? undefined : causeOf(from, to)
      if (!stays && !cause) continue
      if (worth(from, to) && canGo(before, after, from, to, effort)) moves.push({ from, to, cause })
    }
  }
  return moves
}

/**
 * Finds what can have made a context go from one cohort to another; undefined where nothing can.
 *
 * Where the cohort that it left still comes first, that one has let it go. Otherwise the one that it is in now has
 * caught it first, and it is asked why that did not do so before.
 */
function causeFinder(before: Cohorts, after: Cohorts, changed: ReadonlySet<string>, kept: ReadonlySet<string>) {
  return (from: Cohort, to: Cohort): Move['cause'] => {
    const left = after.byId.get(from.id)
    const was = before.byId.get(to.id)
    if (left && left.place < to.place) return changed.has(from.id) ? { cohort: left, change: 'clauses' } : undefined
    if (!was) return { cohort: to, change: 'added' }
    if (was.place < from.place) return changed.has(to.id) ? { cohort: to, change: 'clauses' } : undefined
    if (!left) return { cohort: from, change: 'removed' }
    return kept.has(to.id) || !kept.has(from.id) ? { cohort: left, change: 'moved' } : { cohort: to, change: 'moved' }
  }
}

function canGo(before: Cohorts, after: Cohorts, from: Cohort, to: Cohort, effort: Effort): boolean {
  if (effort.left < 0) return true
  return canOccur([...from.clauses, ...to.clauses], clausesAhead(before, from, after, to), effort)
}

function* clausesAhead(
  before: Cohorts,
  from: Cohort,
  after: Cohorts,
  to: Cohort,
): Generator<readonly CompiledClause[]> {
  for (let place = 0; place < from.place; place++) yield (before.list[place] as Cohort).clauses
  for (let place = 0; place < to.place; place++) yield (after.list[place] as Cohort).clauses
}
