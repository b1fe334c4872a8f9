import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, isAlways } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import { startTranslation } from '../conditions/translation.ts'
import type { ImportedConfig, ImportedRule, ImportedServe, Loss } from '../imported-project.ts'
import { fullWeight, scaleWeights, serveOf, sharesLoss, type WeightedVariation } from '../shares.ts'
import type { GroupTest } from './condition.ts'
import type { Gates } from './gates.ts'
import type { GrowthBookDefinition, GrowthBookRule } from './payload.ts'
import { type Step, stepOf } from './step.ts'
import type { ValuesOfFeature } from './values.ts'

/** Everything that the translation of a feature in one environment needs. */
export interface FlagInput {
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
export function configOf(input: FlagInput): { readonly config: ImportedConfig; readonly losses: readonly Loss[] } {
  const { definition, gates, values } = input
  const translation = { ...startTranslation(), inGroup: input.inGroup }
  const rules = definition.rules ?? []
  const steps = rules.flatMap((rule, index) => stepOf(translation, rule, nameOf(input, index)) ?? [])
  const importableSteps = steps.filter((step) => step.serves.every(({ value }) => values.indexOf(value) !== undefined))
  const fallback = values.indexOf(definition.defaultValue)
  const { told: importedRules, fallthrough } = rulesOf(input, importableSteps, fallback)
  const config = {
    on: input.on && !gates.blocked && (fallback !== undefined || importedRules.length > 0),
    targets: [],
    contextTargets: [],
    rules: importedRules,
    fallthrough,
    prerequisites: gates.prerequisites,
    trackEvents: false,
    trackEventsFallthrough: false,
  }
  const unsupported = translation.unsupported.map((part): Loss => ({ ...part, affects: 'values' }))
  const nullLosses = [
    ...(importableSteps.length < steps.length ? [nullRule] : []),
    ...(fallback === undefined ? nullDefault(steps) : []),
  ]
  return {
    config,
    losses: [...gates.losses, ...unsupported, ...nullLosses, ...shareLosses(steps), ...rules.flatMap(experimentLosses)],
  }
}

function nameOf({ id }: FlagInput, index: number): string {
  return `rule ${index} of ${id}`
}

/**
 * Returns the rules and the default rule of a flag. The contexts that the last rule does not serve receive the default,
 * so the last rule can be one rollout that includes the default. In earlier rules, a segment decides which contexts are
 * served.
 */
function rulesOf(input: FlagInput, steps: readonly Step[], fallback: number | undefined) {
  const rules: ImportedRule[] = []
  const defaultServe: ImportedServe = { variation: fallback ?? 0 }
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1
    const merges = isLast && fallback !== undefined
    const serve = merges ? serveStep(input, step, fallback) : serveStep(input, step)
    if (merges && isAlways(step.condition)) return { told: rules, fallthrough: serve }
    rules.push(...rulesOfStep(input, { step, serve, takesAll: merges || step.part === fullWeight, index }))
  }
  return { told: rules, fallthrough: defaultServe }
}

/** A step of a flag, and how it is served. */
interface ServedStep {
  readonly step: Step
  readonly serve: ImportedServe
  readonly takesAll: boolean
  readonly index: number
}

function rulesOfStep({ pool, id }: FlagInput, { step, serve, takesAll, index }: ServedStep): ImportedRule[] {
  const { condition, part, bucketBy, description } = step
  if (part === 0) return []
  const bucketing = bucketBy === undefined ? {} : { bucketBy }
  const share = { weight: part, contextKind: userKind, ...bucketing, name: `step ${index} of ${id}` }
  const selected = takesAll ? condition : all(condition, { kind: 'share', share })
  return compileCondition(selected, pool).map((clauses) => ({
    clauses,
    ...serve,
    ...(description ? { description } : {}),
    trackEvents: false,
  }))
}

/**
 * Returns the rollout or variation of a step. The contexts that the step does not take get the variation `fallback`. If
 * `fallback` is undefined, the step serves all contexts that reach it.
 */
function serveStep({ values }: FlagInput, { serves, part, bucketBy }: Step, fallback?: number): ImportedServe {
  const weights = serves.map(
    ({ value, weight }): WeightedVariation => ({ variation: values.indexOf(value) as number, weight }),
  )
  if (fallback === undefined) return serveOf(scaleWeights(weights, fullWeight), userKind, bucketBy)
  const stepWeights = scaleWeights(weights, part)
  return serveOf(
    scaleWeights([...stepWeights, { variation: fallback, weight: fullWeight - part }], fullWeight),
    userKind,
    bucketBy,
  )
}

function shareLosses(steps: readonly Step[]): Loss[] {
  const hasShares = steps.some(({ part, serves }) => (part > 0 && part < fullWeight) || serves.length > 1)
  return hasShares ? [sharesLoss('which contexts are in which share')] : []
}

const nullRule: Loss = {
  what: 'a rule that serves null',
  why: 'null means the default of the caller, and rules serve variations',
  instead: 'the rule is omitted',
  affects: 'values',
}

/**
 * Returns the loss of a default of null. There is no loss without rules: the flag is then off, which has the same
 * effect.
 */
function nullDefault(steps: readonly Step[]): Loss[] {
  const what = 'a default of null'
  const why = 'null means the default of the caller, and all other contexts receive a variation'
  return steps.length === 0 ? [] : [{ what, why, instead: 'the first variation', affects: 'values' }]
}

/** Losses that concern the experiment of a rule, and do not change the values that contexts receive. */
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
  return {
    what,
    why,
    instead: 'the same percentage, of contexts that may also be in other experiments',
    affects: 'shares',
  }
}

function sticky(name: string): Loss {
  const what = `sticky buckets of experiment ${name}`
  return {
    what,
    why: 'nothing about contexts is stored',
    instead: 'the share is decided at each evaluation',
    affects: 'shares',
  }
}

function bandit(name: string): Loss {
  const why = 'weights do not follow results'
  return { what: `bandit ${name}`, why, instead: 'the rule is omitted', affects: 'values' }
}
