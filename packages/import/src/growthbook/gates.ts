import { compileRuleset, evaluate, re2Pattern } from '@halyard/core/evaluation'
import { compileCondition } from '../conditions/compile-condition.ts'
import type { Condition } from '../conditions/condition.ts'
import { createSegmentPool } from '../conditions/segment-pool.ts'
import { startTranslation } from '../conditions/translation.ts'
import type { ImportedConfig, Loss } from '../imported-project.ts'
import { conditionOf } from './condition.ts'
import type { EnvironmentPayload } from './growthbook-export.ts'
import type { GrowthBookCondition, GrowthBookDefinition } from './payload.ts'
import type { ValuesOfFeature } from './values.ts'

/** The flags on which a flag depends before any of its rules applies. */
export interface Gates {
  readonly prerequisites: ImportedConfig['prerequisites']
  /** True when no context receives a value, because a prerequisite can never be met. */
  readonly blocked: boolean
  readonly losses: readonly Loss[]
}

/** The flags that other flags depend on. */
export interface Parents {
  readonly payload: EnvironmentPayload
  keyOf(id: string): string
  valuesOf(id: string): ValuesOfFeature | undefined
}

interface Gate {
  readonly id: string
  readonly condition?: GrowthBookCondition | null | undefined
}

type Outcome = { readonly variation: number } | 'met' | 'never'

/** Translates parents that block a flag to prerequisites: each is one variation that another flag must serve. */
export function gatesOf(id: string, definition: GrowthBookDefinition, parents: Parents): Gates {
  const { first, later } = gatesIn(definition)
  const losses: Loss[] = later.map((gate) => lateGateLoss(gate.id))
  if (first.length > 0 && dependsOn(id, id, parents.payload, new Set())) {
    return { prerequisites: [], blocked: true, losses }
  }
  const requiredVariations = new Map<string, number>()
  for (const gate of first) {
    const outcome = outcomeOf(gate, parents, losses)
    if (outcome === 'met') continue
    const key = parents.keyOf(gate.id)
    if (outcome === 'never' || (requiredVariations.get(key) ?? outcome.variation) !== outcome.variation) {
      return { prerequisites: [], blocked: true, losses }
    }
    requiredVariations.set(key, outcome.variation)
  }
  return {
    prerequisites: [...requiredVariations].map(([key, variation]) => ({ key, variation })),
    blocked: false,
    losses,
  }
}

/**
 * Returns the gates of a flag: `first` has the gates up to the first rule that can serve a value; they block the whole
 * flag. `later` has the other gates.
 */
function gatesIn({ rules }: GrowthBookDefinition): {
  readonly first: readonly Gate[]
  readonly later: readonly Gate[]
} {
  const list = rules ?? []
  const serving = list.findIndex((rule) => 'force' in rule || rule.variations || rule.contextualVariations)
  const end = serving < 0 ? list.length : serving + 1
  const gates = (part: typeof list) =>
    part.flatMap(({ parentConditions }) => (parentConditions ?? []).filter(({ gate }) => gate))
  return { first: gates(list.slice(0, end)), later: gates(list.slice(end)) }
}

/** Tests whether a flag depends on another one, directly or through others. */
function dependsOn(id: string, searchedId: string, payload: EnvironmentPayload, seen: Set<string>): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const parents = (payload.features.get(id)?.definition.rules ?? []).flatMap(
    ({ parentConditions }) => parentConditions ?? [],
  )
  return parents.some((parent) => parent.id === searchedId || dependsOn(parent.id, searchedId, payload, seen))
}

function outcomeOf(gate: Gate, parents: Parents, losses: Loss[]): Outcome {
  const parent = parents.payload.features.get(gate.id)
  const values = parents.valuesOf(gate.id)
  const test = testOf(gate.condition ?? {})
  if (!test) return loseGate(losses, { id: gate.id, why: 'its condition is not supported', outcome: 'never' })
  if (!parent?.on || !values) return test(undefined) ? 'met' : 'never'
  const ownVariations = values.variations.slice(0, values.ownCount)
  const matchingVariations = ownVariations.flatMap(({ value }, index) => (test(value) ? [index] : []))
  const [only, ...others] = matchingVariations
  if (only === undefined) return 'never'
  if (matchingVariations.length === ownVariations.length && !canServeDefault(parent.definition)) {
    losses.push(assumedMetLoss(gate.id))
    return 'met'
  }
  if (others.length > 0 || test(undefined)) {
    return loseGate(losses, {
      id: gate.id,
      why: 'a prerequisite in Halyard requires exactly one variation',
      outcome: 'never',
    })
  }
  return { variation: only }
}

/** Tests whether a flag that is on can serve the caller's default. */
function canServeDefault({ defaultValue, rules }: GrowthBookDefinition): boolean {
  const gated = (rules ?? []).some(({ parentConditions }) => (parentConditions ?? []).some(({ gate }) => gate))
  return gated || defaultValue === null || defaultValue === undefined
}

/** Compares the value of a parent; everything except plain values is compared as an attribute named `value`. */
function testOf(condition: GrowthBookCondition): ((value: unknown) => boolean) | undefined {
  const { value: expected, ...others } = condition
  const plain = Object.keys(others).length === 0 ? plainTest(expected) : undefined
  if (plain) return plain
  const translation = { ...startTranslation(), inGroup: (): Condition => ({ kind: 'any', of: [] }) }
  const pool = createSegmentPool('')
  const compiled = conditionOf(translation, condition)
  const rules = compileCondition(compiled, pool).map((clauses) => ({ clauses, variation: 0 }))
  if (translation.unsupported.length > 0) return undefined
  const flag = { key: 'gate', on: true, variations: [true, false], rules, fallthrough: { variation: 1 } }
  const ruleset = compileRuleset({ flags: [flag], segments: [...pool.segments()], compilePattern: re2Pattern })
  return (value) => evaluate(ruleset, 'gate', { kind: 'user', key: 'any', value }).value === true
}

/** Values of another type are converted to the expected type. */
function plainTest(expected: unknown): ((value: unknown) => boolean) | undefined {
  if (typeof expected === 'boolean') return (value) => value !== undefined && Boolean(value) === expected
  if (typeof expected === 'number') return (value) => Number(value ?? 0) === expected
  if (typeof expected === 'string') return (value) => String(value ?? null) === expected
  return undefined
}

/** A prerequisite that is omitted. */
interface OmittedGate {
  readonly id: string
  readonly why: string
  readonly outcome: Outcome
}

function loseGate(losses: Loss[], { id, why, outcome }: OmittedGate): Outcome {
  const instead = 'the flag is off: write rules for the contexts that should receive it, and turn it on'
  losses.push({ what: `prerequisite ${id}`, why, instead, affects: 'values' })
  return outcome
}

function assumedMetLoss(id: string): Loss {
  const what = `prerequisite ${id} with any value`
  const why = 'a prerequisite in Halyard requires exactly one variation'
  return { what, why, instead: 'it counts as met, which it is while that flag is on', affects: 'nothing' }
}

function lateGateLoss(id: string): Loss {
  const what = `prerequisite ${id} of a rule that comes after others`
  const instead = 'the rule does not depend on it: check whether it may be served'
  return { what, why: 'prerequisites are evaluated before all rules', instead, affects: 'values' }
}
