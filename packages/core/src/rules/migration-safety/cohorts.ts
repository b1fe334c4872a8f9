import type { Rule } from '../targeting/rule.ts'
import type { Serve } from '../targeting/serve.ts'
import { type CompiledClause, compileClauses } from './compiled-clause.ts'
import { allOff, type Shares, sharesOf } from './shares.ts'
import { migrationStages, type StageCount } from './stages.ts'

/** How a migration flag behaves in one environment: what of it decides the stage that a context is at. */
export interface MigrationTargeting {
  readonly on: boolean
  readonly rules: readonly MigrationRule[]
  readonly fallthrough: Serve
  /** Other flags that must serve these variations, or this one is off. Default: none. */
  readonly prerequisites?: readonly { readonly key: string; readonly variation: number }[]
}

/** A rule of a migration flag: whom it catches, and which stages they are served. */
export interface MigrationRule extends Rule, Serve {}

/** The sentinel that stands for the default rule where ids of rules are told. */
export const fallthroughId = 'fallthrough'

/** Contexts that migrate together: those that one rule catches, or that none does. */
export interface Cohort {
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly place: number
  readonly clauses: readonly CompiledClause[]
  readonly shares: Shares
}

/** All cohorts of a targeting: the rules in order, then the default rule. */
export interface Cohorts {
  readonly list: readonly Cohort[]
  readonly byId: ReadonlyMap<string, Cohort>
}

/**
 * Takes a targeting apart.
 *
 * @param off whether all of it counts as off.
 * @param maybeOff whether contexts can be off because of a prerequisite that is not there on the other side of the
 *   comparison.
 */
export function cohortsOf(
  stageCount: StageCount,
  { rules, fallthrough }: MigrationTargeting,
  { off, maybeOff }: { readonly off: boolean; readonly maybeOff: boolean },
): Cohorts {
  const shares = eachOnce((serve) => (off ? allOff : sharesOf(serve, migrationStages[stageCount], maybeOff)))
  const list = rules.map((rule, place): Cohort => {
    const clauses = compileClauses(rule.clauses)
    return { id: rule._id, name: nameOf(rule, place), place, clauses, shares: shares(rule) }
  })
  list.push({
    id: fallthroughId,
    name: 'the default rule',
    place: rules.length,
    clauses: [],
    shares: shares(fallthrough),
  })
  return { list, byId: new Map(list.map((cohort) => [cohort.id, cohort])) }
}

/** Cohorts that serve the same have the same shares, so that these are compared once for all of them. */
function eachOnce(make: (serve: Serve) => Shares): (serve: Serve) => Shares {
  const made = new Map<string, Shares>()
  return (serve) => {
    const key = JSON.stringify([serve.variation, serve.rollout])
    const known = made.get(key) ?? make(serve)
    made.set(key, known)
    return known
  }
}

const longestName = 80

/** A new rule has an id that nobody has seen yet, so its place is told as well. */
function nameOf({ _id, description = '' }: MigrationRule, place: number): string {
  return description !== '' && description.length <= longestName
    ? `the rule "${description}"`
    : `rule ${place + 1} (${_id})`
}
