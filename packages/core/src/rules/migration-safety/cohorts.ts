import type { Rule } from '../targeting/rule.ts'
import type { Serve } from '../targeting/serve.ts'
import { type CompiledClause, compileClauses } from './compiled-clause.ts'
import { allOff, type Shares, sharesOf } from './shares.ts'
import { migrationStages, type StageCount } from './stages.ts'

/** The parts of the targeting of a migration flag in one environment that decide the stage of a context. */
export interface MigrationTargeting {
  readonly on: boolean
  readonly rules: readonly MigrationRule[]
  readonly fallthrough: Serve
  /** Other flags that must serve these variations; otherwise this flag is off. Default: no flags. */
  readonly prerequisites?: readonly { readonly key: string; readonly variation: number }[]
}

/** A rule of a migration flag: the contexts that it matches, and the stages that it serves. */
export interface MigrationRule extends Rule, Serve {}

/** Id of the default rule in lists of ids of rules. */
export const fallthroughId = 'fallthrough'

/** Contexts that migrate together: those that one rule matches, or those that no rule matches. */
export interface Cohort {
  readonly id: string
  /** Name in messages. */
  readonly name: string
  readonly index: number
  readonly clauses: readonly CompiledClause[]
  readonly shares: Shares
}

/** All cohorts of a targeting: the rules in order, then the default rule. */
export interface Cohorts {
  readonly list: readonly Cohort[]
  readonly byId: ReadonlyMap<string, Cohort>
}

/**
 * Divides a targeting into cohorts.
 *
 * @param off true if the whole targeting counts as off.
 * @param maybeOff true if contexts can be off because of a prerequisite that the other side of the comparison does not
 *   have.
 */
export function cohortsOf(
  stageCount: StageCount,
  { rules, fallthrough }: MigrationTargeting,
  { off, maybeOff }: { readonly off: boolean; readonly maybeOff: boolean },
): Cohorts {
  const shares = memoize((serve) => (off ? allOff : sharesOf(serve, migrationStages[stageCount], maybeOff)))
  const list = rules.map((rule, index): Cohort => {
    const clauses = compileClauses(rule.clauses)
    return { id: rule._id, name: nameOf(rule, index), index, clauses, shares: shares(rule) }
  })
  list.push({
    id: fallthroughId,
    name: 'the default rule',
    index: rules.length,
    clauses: [],
    shares: shares(fallthrough),
  })
  return { list, byId: new Map(list.map((cohort) => [cohort.id, cohort])) }
}

/**
 * Caches shares by the variation or rollout that is served, so that equal cohorts share one object, and shares are
 * compared only once.
 */
function memoize(make: (serve: Serve) => Shares): (serve: Serve) => Shares {
  const cache = new Map<string, Shares>()
  return (serve) => {
    const key = JSON.stringify([serve.variation, serve.rollout])
    const shares = cache.get(key) ?? make(serve)
    cache.set(key, shares)
    return shares
  }
}

const maxNameLength = 80

/**
 * Returns the name of a rule: its description if that is short, otherwise its position and its id. The id alone is not
 * sufficient, because users have not yet seen the id of a new rule.
 */
function nameOf({ _id, description = '' }: MigrationRule, index: number): string {
  return description !== '' && description.length <= maxNameLength
    ? `the rule "${description}"`
    : `rule ${index + 1} (${_id})`
}
