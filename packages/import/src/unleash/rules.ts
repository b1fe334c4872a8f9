import { compareAttribute } from '../conditions/attribute-tests.ts'
import { type Clause, userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, type Condition, isAlways, isNever } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import type { ImportedRule, ImportedServe } from '../imported-project.ts'
import { fullWeight, scaleWeights, serveOf, type WeightedVariation } from '../shares.ts'
import { attributeOf, type ConstraintNotes, equalSpellings } from './constraint.ts'
import type { UnleashFeature, UnleashStrategy, UnleashVariant } from './export.ts'
import { reportShareChange, stickyAttribute, type TranslatedStrategy, translateStrategy } from './strategy.ts'
import type { UnleashValues } from './values.ts'

/** A strategy and what it serves. */
interface Step extends TranslatedStrategy {
  readonly description: string | undefined
  readonly weights: readonly WeightedVariation[]
  readonly bucketBy: string | undefined
  /** Contexts that receive one variant regardless of the weights. */
  readonly overrides: readonly { readonly condition: Condition; readonly variation: number }[]
}

export interface StrategyInput {
  readonly feature: UnleashFeature
  readonly values: UnleashValues
  readonly pool: SegmentPool
  readonly segmentCondition: (id: number) => Condition
  /** Returns the callbacks for findings at a position in the feature. */
  readonly notesAt: (...path: readonly (string | number)[]) => ConstraintNotes
}

export interface TranslatedRules {
  readonly targets: readonly string[]
  readonly rules: readonly ImportedRule[]
  readonly fallthrough: ImportedServe
}

/**
 * Translates strategies, any one of which enables the feature, to rules in their order. The first matching rule
 * decides. A strategy that enables a percentage therefore becomes a test for a segment with that percentage of the
 * contexts, so that the other contexts continue with the next rule.
 */
export function translateRules(input: StrategyInput): TranslatedRules {
  const { feature, values, pool } = input
  const steps = stepsOf(input)
  const isPlain = values.form === 'boolean'
  // When all strategies serve true, their order does not matter. Named users are then targets, which come before rules,
  // because a reader expects them there.
  const targets = isPlain ? [...new Set(steps.flatMap(({ userIds }) => userIds ?? []))] : []
  const orderedSteps = isPlain ? steps.filter(({ userIds }) => !userIds).toSorted(compareShares) : steps
  const rules: ImportedRule[] = []
  for (const [index, step] of orderedSteps.entries()) {
    const isLastRollout = step.share !== undefined && index === orderedSteps.length - 1 && step.overrides.length === 0
    const share =
      step.share && !isLastRollout ? [{ kind: 'share', share: { ...step.share, name: feature.name } } as const] : []
    const condition = all(step.condition, ...share)
    for (const override of step.overrides) {
      rules.push(
        ...rulesFor(
          { condition: all(condition, override.condition), serve: { variation: override.variation } },
          step,
          pool,
        ),
      )
    }
    const serve = isLastRollout ? servePart(step, values) : serveAll(step, values)
    if (isAlways(condition)) return { targets, rules, fallthrough: serve }
    rules.push(...rulesFor({ condition, serve }, step, pool))
  }
  return { targets, rules, fallthrough: { variation: values.disabled } }
}

function compareShares(a: Step, b: Step): number {
  return Number(a.share !== undefined) - Number(b.share !== undefined)
}

/** Returns the steps of a feature. An enabled feature without active strategies is enabled for every context. */
function stepsOf(input: StrategyInput): Step[] {
  const strategies = (input.feature.strategies ?? []).map((strategy, index) => ({ strategy, at: index }))
  const active = strategies.filter(({ strategy }) => !strategy.disabled)
  if (active.length === 0) return [stepOf({ name: 'default' }, undefined, input)]
  return active
    .map(({ strategy, at: index }) => stepOf(strategy, index, input))
    .filter(({ condition }) => !isNever(condition))
}

function stepOf(strategy: UnleashStrategy, index: number | undefined, input: StrategyInput): Step {
  const { feature, values, segmentCondition, notesAt } = input
  const path = index === undefined ? [] : ['strategies', index]
  const notes = notesAt(...path)
  const strategyResult = translateStrategy(strategy, segmentCondition, notes)
  const lists = [strategy.variants, feature.variants].map((list) => list ?? [])
  const variants = lists.find((list) => list.some(({ weight }) => weight > 0)) ?? []
  const inherited = variants === strategy.variants ? String(strategy.parameters?.stickiness ?? '') : ''
  const stickiness = variants[0]?.stickiness || inherited || 'default'
  const weights = variants.map((variant) => ({ variation: values.indexOf(variant), weight: variant.weight }))
  const scaledWeights = scaleWeights(weights, fullWeight)
  if (scaledWeights.length > 1) reportShareChange(`variants by ${stickiness}`, stickiness, notes)
  if (variants.length === 0 && values.form !== 'boolean') reportMissingVariant(notes)
  return {
    ...strategyResult,
    description: strategy.title || undefined,
    weights: scaledWeights,
    bucketBy: stickyAttribute(stickiness),
    overrides: overridesOf(variants, values),
  }
}

function reportMissingVariant(notes: ConstraintNotes): void {
  notes.reportLoss({
    what: 'a strategy without variants',
    why: 'Unleash returns that the feature is enabled and that its variant is disabled; a flag has one value',
    instead: 'it serves the value for a feature that is not enabled',
    affects: 'values',
  })
}

function overridesOf(variants: readonly UnleashVariant[], values: UnleashValues): Step['overrides'] {
  return variants.flatMap((variant) =>
    (variant.overrides ?? []).flatMap(({ contextName, values: texts }) => {
      const attribute = attributeOf(contextName)
      if (attribute === undefined || texts.length === 0) return []
      const condition = compareAttribute(attribute, 'in', ...equalSpellings(attribute, texts))
      return [{ condition, variation: values.indexOf(variant) }]
    }),
  )
}

function serveAll({ weights, bucketBy }: Step, values: UnleashValues): ImportedServe {
  if (weights.length === 0) return { variation: values.enabled ?? values.disabled }
  return serveOf(weights, userKind, bucketBy)
}

/** Returns the rollout of the last step. No strategy follows it, so its percentage can be the rollout of its rule. */
function servePart({ share, weights, bucketBy }: Step, values: UnleashValues): ImportedServe {
  const weight = share?.weight ?? fullWeight
  const all = weights.length === 0 ? [{ variation: values.enabled ?? values.disabled, weight: 1 }] : weights
  const remainder = { variation: values.disabled, weight: fullWeight - weight }
  return serveOf(
    scaleWeights([...scaleWeights(all, weight), remainder], fullWeight),
    userKind,
    share?.bucketBy ?? bucketBy,
  )
}

/** A condition, and what contexts receive that meet it. */
interface ServedCondition {
  readonly condition: Condition
  readonly serve: ImportedServe
}

function rulesFor({ condition, serve }: ServedCondition, step: Step, pool: SegmentPool): ImportedRule[] {
  const { description } = step
  const rule = (clauses: readonly Clause[]): ImportedRule => ({
    ...(description === undefined ? {} : { description: description.slice(0, 10_000) }),
    clauses,
    ...serve,
    trackEvents: false,
  })
  return compileCondition(condition, pool).map(rule)
}
