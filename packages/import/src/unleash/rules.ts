import { test } from '../conditions/attribute-tests.ts'
import { type Clause, userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, type Condition, isAlways, isNever } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import type { MovedRule, MovedServe } from '../moved-project.ts'
import { scaled, serveOf, type Weighted, whole } from '../shares.ts'
import { attributeOf, type ConstraintNotes, sameTexts } from './constraint.ts'
import type { UnleashFeature, UnleashStrategy, UnleashVariant } from './export.ts'
import { stickyAttribute, type ToldStrategy, tellShares, tellStrategy } from './strategy.ts'
import type { UnleashValues } from './values.ts'

/** A strategy and what it serves. */
interface Step extends ToldStrategy {
  readonly description: string | undefined
  readonly weights: readonly Weighted[]
  readonly bucketBy: string | undefined
  /** Contexts that receive one variant regardless of the weights. */
  readonly overrides: readonly { readonly condition: Condition; readonly variation: number }[]
}

export interface StrategiesToTell {
  readonly feature: UnleashFeature
  readonly values: UnleashValues
  readonly pool: SegmentPool
  readonly segmentCondition: (id: number) => Condition
  /** Returns the callbacks for findings at a position in the feature. */
  readonly notesAt: (...path: readonly (string | number)[]) => ConstraintNotes
}

export interface ToldRules {
  readonly targets: readonly string[]
  readonly rules: readonly MovedRule[]
  readonly fallthrough: MovedServe
}

/**
 * Translates strategies, any one of which enables the feature, to rules in their order. The first matching rule
 * decides, so a strategy that enables a percentage tests for a segment of that percentage, and the other contexts go on
 * to the next rule.
 */
export function tellRules(given: StrategiesToTell): ToldRules {
  const { feature, values, pool } = given
  const steps = stepsOf(given)
  const isPlain = values.form === 'boolean'
  // When all strategies serve true, their order does not matter, and targets come first: users who are named are then
  // targets, where a reader expects them.
  const targets = isPlain ? [...new Set(steps.flatMap(({ userIds }) => userIds ?? []))] : []
  const told = isPlain ? steps.filter(({ userIds }) => !userIds).toSorted(byWhole) : steps
  const rules: MovedRule[] = []
  for (const [at, step] of told.entries()) {
    const inline = step.share !== undefined && at === told.length - 1 && step.overrides.length === 0
    const share =
      step.share && !inline ? [{ kind: 'share', share: { ...step.share, name: feature.name } } as const] : []
    const condition = all(step.condition, ...share)
    for (const override of step.overrides) {
      rules.push(...rulesFor(all(condition, override.condition), { variation: override.variation }, step, pool))
    }
    const serve = inline ? partly(step, values) : serveAll(step, values)
    if (isAlways(condition)) return { targets, rules, fallthrough: serve }
    rules.push(...rulesFor(condition, serve, step, pool))
  }
  return { targets, rules, fallthrough: { variation: values.disabled } }
}

function byWhole(a: Step, b: Step): number {
  return Number(a.share !== undefined) - Number(b.share !== undefined)
}

/** A feature that is enabled without strategies is enabled for every context. */
function stepsOf(given: StrategiesToTell): Step[] {
  const strategies = (given.feature.strategies ?? []).map((strategy, at) => ({ strategy, at }))
  const active = strategies.filter(({ strategy }) => !strategy.disabled)
  if (active.length === 0) return [stepOf({ name: 'default' }, undefined, given)]
  return active.map(({ strategy, at }) => stepOf(strategy, at, given)).filter(({ condition }) => !isNever(condition))
}

function stepOf(strategy: UnleashStrategy, at: number | undefined, given: StrategiesToTell): Step {
  const { feature, values, segmentCondition, notesAt } = given
  const path = at === undefined ? [] : ['strategies', at]
  const notes = notesAt(...path)
  const told = tellStrategy(strategy, segmentCondition, notes)
  const lists = [strategy.variants, feature.variants].map((list) => list ?? [])
  const variants = lists.find((list) => list.some(({ weight }) => weight > 0)) ?? []
  const inherited = variants === strategy.variants ? String(strategy.parameters?.stickiness ?? '') : ''
  const stickiness = variants[0]?.stickiness || inherited || 'default'
  const weights = variants.map((one) => ({ variation: values.indexOf(one), weight: one.weight }))
  const scaledWeights = scaled(weights, whole)
  if (scaledWeights.length > 1) tellShares(`variants by ${stickiness}`, stickiness, notes)
  if (variants.length === 0 && values.form !== 'boolean') tellNoVariant(notes)
  return {
    ...told,
    description: strategy.title || undefined,
    weights: scaledWeights,
    bucketBy: stickyAttribute(stickiness),
    overrides: overridesOf(variants, values),
  }
}

function tellNoVariant(notes: ConstraintNotes): void {
  notes.lose({
    what: 'a strategy without variants',
    why: 'the feature is enabled and has the variant disabled, which are two results; a flag has one',
    instead: 'it serves the value for a feature that is not enabled',
    affects: 'values',
  })
}

function overridesOf(variants: readonly UnleashVariant[], values: UnleashValues): Step['overrides'] {
  return variants.flatMap((variant) =>
    (variant.overrides ?? []).flatMap(({ contextName, values: texts }) => {
      const attribute = attributeOf(contextName)
      if (attribute === undefined || texts.length === 0) return []
      const condition = test(attribute, 'in', ...sameTexts(attribute, texts))
      return [{ condition, variation: values.indexOf(variant) }]
    }),
  )
}

function serveAll({ weights, bucketBy }: Step, values: UnleashValues): MovedServe {
  if (weights.length === 0) return { variation: values.enabled ?? values.disabled }
  return serveOf(weights, userKind, bucketBy)
}

/** No strategy follows the last one, so its percentage can be the rollout of its rule. */
function partly({ share, weights, bucketBy }: Step, values: UnleashValues): MovedServe {
  const part = share?.weight ?? whole
  const all = weights.length === 0 ? [{ variation: values.enabled ?? values.disabled, weight: 1 }] : weights
  const rest = { variation: values.disabled, weight: whole - part }
  return serveOf(scaled([...scaled(all, part), rest], whole), userKind, share?.bucketBy ?? bucketBy)
}

function rulesFor(condition: Condition, serve: MovedServe, step: Step, pool: SegmentPool): MovedRule[] {
  const { description } = step
  const rule = (clauses: readonly Clause[]): MovedRule => ({
    ...(description === undefined ? {} : { description: description.slice(0, 10_000) }),
    clauses,
    ...serve,
    trackEvents: false,
  })
  return compileCondition(condition, pool).map(rule)
}
