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

/** What a feature is told with in one environment. */
export interface FlagScene {
  readonly id: string
  readonly definition: GrowthBookDefinition
  readonly on: boolean
  readonly values: ValuesOfFeature
  readonly gates: Gates
  readonly pool: SegmentPool
  readonly inGroup: GroupTest
}

/** Makes the configuration of a flag; where it is off, or stopped, whoever asks gets their own default. */
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

/** What the last rule leaves over gets the default: that can be one rollout. Before it, a segment says who is taken. */
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

/** @param fallback gets what the step leaves over, where it is given. */
function serveStep({ values }: FlagScene, { serves, part, bucketBy }: Step, fallback?: number): MovedServe {
  const weights = serves.map(({ value, weight }): Weighted => ({ variation: values.indexOf(value) as number, weight }))
  if (fallback === undefined) return serveOf(scaled(weights, whole), userKind, bucketBy)
  const taken = scaled(weights, part)
  return serveOf(scaled([...taken, { variation: fallback, weight: whole - part }], whole), userKind, bucketBy)
}

function sharesIn(steps: readonly Step[]): Loss[] {
  const shared = steps.some(({ part, serves }) => (part > 0 && part < whole) || serves.length > 1)
  return shared ? [sharesMove('who is in which share')] : []
}

const nullRule: Loss = {
  what: 'a rule that serves null',
  why: 'null stands for the default of whoever asks, and rules serve variations',
  instead: 'the rule was left out',
  affects: 'values',
}

/** Without rules the flag is off, which is the same. */
function nullDefault(steps: readonly Step[]): Loss[] {
  const what = 'a default of null'
  const why = 'it stands for the default of whoever asks, and what is left over gets a variation'
  return steps.length === 0 ? [] : [{ what, why, instead: 'the first variation', affects: 'values' }]
}

/** What belongs to the experiment of a rule, and not to who gets what. */
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
  const why = 'what comes of it is counted where it was defined'
  return { what: `experiment ${name}`, why, instead: 'its percentages are served', affects: 'nothing' }
}

function exclusion(name: string): Loss {
  const what = `namespace or filter of experiment ${name}`
  const why = 'shares are dealt for each rule by themselves'
  return { what, why, instead: 'as many contexts, which can be in other experiments as well', affects: 'shares' }
}

function sticky(name: string): Loss {
  const what = `sticky buckets of experiment ${name}`
  return { what, why: 'nothing is stored of contexts', instead: 'the share decides each time', affects: 'shares' }
}

function bandit(name: string): Loss {
  const why = 'weights do not follow what is counted'
  return { what: `bandit ${name}`, why, instead: 'the rule was left out', affects: 'values' }
}
