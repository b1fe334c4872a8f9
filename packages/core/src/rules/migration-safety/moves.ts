import type { Cohort, Cohorts } from './cohorts.ts'
import { type CompiledClause, sameClauses } from './compiled-clause.ts'
import { canOccur, type Effort } from './overlap.ts'
import { unmovedItems } from './unmoved-items.ts'

/** Change of a rule that made contexts change their cohort. */
export type RuleChange = 'added' | 'removed' | 'moved' | 'clauses'

/** A possible move of contexts from one cohort to another, or within one cohort. */
export interface Move {
  readonly from: Cohort
  readonly to: Cohort
  /** The rule that caused the move; undefined for contexts that stay in their cohort. */
  readonly cause: { readonly cohort: Cohort; readonly change: RuleChange } | undefined
}

/** Maximum number of values and clauses to compare. It takes a quarter of a second, during which nothing else runs. */
const maxEffort = 4_000_000

/**
 * Returns all possible moves of contexts from the cohorts before to those after.
 *
 * A context is in the first cohort whose clauses it matches. A context leaves its cohort for one of two reasons: the
 * cohort no longer matches it first (the rule was removed or moved back, or its clauses changed), or another cohort
 * matches it earlier (the rule is new or was moved forward, or its clauses changed). The rule that changed is the
 * cause.
 *
 * @param isRelevant returns true if a move from one cohort to the other matters; only then is it checked if the move is
 *   possible.
 */
export function movesBetween(
  before: Cohorts,
  after: Cohorts,
  isRelevant: (from: Cohort, to: Cohort) => boolean,
): Move[] {
  const effort: Effort = { remaining: maxEffort }
  const unmoved = unmovedItems(
    before.list.map(({ id }) => id),
    after.list.map(({ id }) => id),
  )
  const changed = new Set<string>()
  for (const { id, clauses } of before.list) {
    const current = after.byId.get(id)
    if (current && !sameClauses(clauses, current.clauses)) changed.add(id)
  }
  const causeOf = causeFinder({ before, after }, changed, unmoved)
  const isUnchanged = (id: string) => unmoved.has(id) && !changed.has(id)
  const moves: Move[] = []
  for (const to of after.list) {
    for (const from of before.list) {
      const stays = from.id === to.id
      if (!stays && isUnchanged(from.id) && isUnchanged(to.id)) continue
      const cause = stays ? undefined : causeOf(from, to)
      if (!stays && !cause) continue
      if (isRelevant(from, to) && canMove({ before, after }, { from, to }, effort)) moves.push({ from, to, cause })
    }
  }
  return moves
}

/** The cohorts before and after a change. */
interface CohortChange {
  readonly before: Cohorts
  readonly after: Cohorts
}

/**
 * Creates a function that returns the possible cause of a move from one cohort to another; undefined if the move is
 * impossible.
 *
 * If the cohort that the context left still comes before the new cohort, the cause is the cohort that the context left.
 * Otherwise the new cohort is the cause: its rule was added or moved forward, or its clauses changed.
 */
function causeFinder({ before, after }: CohortChange, changed: ReadonlySet<string>, unmoved: ReadonlySet<string>) {
  return (from: Cohort, to: Cohort): Move['cause'] => {
    const previousCohort = after.byId.get(from.id)
    const newCohortBefore = before.byId.get(to.id)
    if (previousCohort && previousCohort.index < to.index)
      return changed.has(from.id) ? { cohort: previousCohort, change: 'clauses' } : undefined
    if (!newCohortBefore) return { cohort: to, change: 'added' }
    if (newCohortBefore.index < from.index) return changed.has(to.id) ? { cohort: to, change: 'clauses' } : undefined
    if (!previousCohort) return { cohort: from, change: 'removed' }
    return unmoved.has(to.id) || !unmoved.has(from.id)
      ? { cohort: previousCohort, change: 'moved' }
      : { cohort: to, change: 'moved' }
  }
}

/** The cohorts from which and to which contexts move. */
interface CohortMove {
  readonly from: Cohort
  readonly to: Cohort
}

function canMove({ before, after }: CohortChange, { from, to }: CohortMove, effort: Effort): boolean {
  if (effort.remaining < 0) return true
  return canOccur([...from.clauses, ...to.clauses], earlierClauses(before, from, after, to), effort)
}

function* earlierClauses(
  before: Cohorts,
  from: Cohort,
  after: Cohorts,
  to: Cohort,
): Generator<readonly CompiledClause[]> {
  for (let index = 0; index < from.index; index++) yield (before.list[index] as Cohort).clauses
  for (let index = 0; index < to.index; index++) yield (after.list[index] as Cohort).clauses
}
