import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, isAlways } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import { beginTelling } from '../conditions/told.ts'
import type { Loss, MovedConfig, MovedRule, MovedServe } from '../moved-project.ts'
import { scaled, serveOf, sharesMove, type Weighted, whole } from '../shares.ts'
import type { GroupTest } from './condition.ts'
import type { Gates } from './gates.ts'
import type { GrowthBookDefinition, GrowthBookRule } from './payload.ts'
import { type Step, stepOf } from './step.ts'
import type { ValuesOfFeature } from './values.ts'

/** Everything that the translation of a feature in one environment needs. */
export interface FlagScene {
  readonly id: string
  readonly definition: GrowthBookDefinition
  readonly on: boolean
  readonly values: ValuesOfFeature
  readonly gates: Gates
  readonly pool: SegmentPool
  readonly inGroup: GroupTest
}

/**
 * Returns the config of a flag. When it is off, or blocked by a prerequisite, callers receive the default in their
 * code.
 */
export function configOf(scene: FlagScene): { readonly config: MovedConfig; readonly losses: readonly Loss[] } {
  const { definition, gates, values } = scene
  const telling = beginTelling()
  const rules = definition.rules ?? []
  const steps = rules.flatMap((rule, at) => stepOf(telling, rule, nameOf(scene, at), scene.inGroup) ?? [])
  const telltale = steps.filter((step) => step.serves.every(({ value }) => values.indexOf(value) !== undefined))
  const fallback = values.indexOf(definition.defaultValue)
  const { told, fallthrough } = rulesOf(scene, telltale, fallback)
  const config = {
    on: scene.on && !gates.blocked && (fallback !== undefined || told.length > 0),
    targets: [],
    contextTargets: [],
    rules: told,
    fallthrough,
    prerequisites: gates.prerequisites,
    trackEvents: false,
    trackEventsFallthrough: false,
  }
  const untold = telling.untold.map((one): Loss => ({ ...one, affects: 'values' }))
  const nothing = [
    ...(telltale.length < steps.length ? [nullRule] : []),
    ...(fallback === undefined ? nullDefault(steps) : []),
  ]
  return {
    config,
    losses: [...gates.losses, ...untold, ...nothing, ...sharesIn(steps), ...rules.flatMap(experimentLosses)],
  }
}

function nameOf({ id }: FlagScene, at: number): string {
  return `rule ${at} of ${id}`
}

/**
 * The contexts that the last rule does not serve receive the default, which can be one rollout. In earlier rules, a
 * segment decides which contexts are served.
 */
function rulesOf(scene: FlagScene, steps: readonly Step[], fallback: number | undefined) {
  const told: MovedRule[] = []
  const rest: MovedServe = { variation: fallback ?? 0 }
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const merges = isLast && fallback !== undefined
    const serve = merges ? serveStep(scene, step, fallback) : serveStep(scene, step)
    if (merges && isAlways(step.condition)) return { told, fallthrough: serve }
    told.push(...rulesOfStep(scene, step, serve, merges || step.part === whole, at))
  }
  return { told, fallthrough: rest }
}

function rulesOfStep(
  { pool, id }: FlagScene,
  step: Step,
  serve: MovedServe,
  takesAll: boolean,
  at: number,
): MovedRule[] {
  const { condition, part, bucketBy, description } = step
  if (part === 0) return []
  const by = bucketBy === undefined ? {} : { bucketBy }
  const share = { weight: part, contextKind: userKind, ...by, name: `step ${at} of ${id}` }
  const taken = takesAll ? condition : all(condition, { kind: 'share', share })
  return compileCondition(taken, pool).map((clauses) => ({
    clauses,
    ...serve,
    ...(description ? { description } : {}),
    trackEvents: false,
  }))
}

/** @param fallback receives the remainder of the step, when given. */
function serveStep({ values }: FlagScene, { serves, part, bucketBy }: Step, fallback?: number): MovedServe {
  const weights = serves.map(({ value, weight }): Weighted => ({ variation: values.indexOf(value) as number, weight }))
  if (fallback === undefined) return serveOf(scaled(weights, whole), userKind, bucketBy)
  const taken = scaled(weights, part)
  return serveOf(scaled([...taken, { variation: fallback, weight: whole - part }], whole), userKind, bucketBy)
}

function sharesIn(steps: readonly Step[]): Loss[] {
  const shared = steps.some(({ part, serves }) => (part > 0 && part < whole) || serves.length > 1)
  return shared ? [sharesMove('which contexts are in which share')] : []
}

const nullRule: Loss = {
  what: 'a rule that serves null',
  why: 'null means the default of the caller, and rules serve variations',
  instead: 'the rule is omitted',
  affects: 'values',
}

/** Without rules the flag is off, which has the same effect. */
function nullDefault(steps: readonly Step[]): Loss[] {
  const what = 'a default of null'
  const why = 'null means the default of the caller, and all other contexts receive a variation'
  return steps.length === 0 ? [] : [{ what, why, instead: 'the first variation', affects: 'values' }]
}

/** Losses that concern the experiment of a rule, and not which context receives what. */
function experimentLosses(rule: GrowthBookRule): Loss[] {
  const { variations, namespace, filters, fallbackAttribute, minBucketVersion, contextualBanditRef } = rule
  const name = rule.name ?? rule.key ?? 'without a name'
  return [
    ...(variations && !('force' in rule) ? [experiment(name)] : []),
    ...(namespace || filters?.length ? [exclusion(name)] : []),
    ...(fallbackAttribute || minBucketVersion ? [sticky(name)] : []),
    ...(contextualBanditRef ? [bandit(name)] : []),
  ]
}

function experiment(name: string): Loss {
  const why = 'results are counted where the experiment was defined'
  return { what: `experiment ${name}`, why, instead: 'its percentages are served', affects: 'nothing' }
}

function exclusion(name: string): Loss {
  const what = `namespace or filter of experiment ${name}`
  const why = 'the shares of each rule are decided independently'
  return { what, why, instead: 'the same percentage, of contexts that may also be in other experiments', affects: 'shares' }
}

function sticky(name: string): Loss {
  const what = `sticky buckets of experiment ${name}`
  return { what, why: 'nothing about contexts is stored', instead: 'the share is decided at each evaluation', affects: 'shares' }
}

function bandit(name: string): Loss {
  const why = 'weights do not follow results'
  return { what: `bandit ${name}`, why, instead: 'the rule is omitted', affects: 'values' }
}
