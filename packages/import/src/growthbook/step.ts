import { attributeNamed } from '../conditions/attribute-tests.ts'
import { all, always, type Condition, never } from '../conditions/condition.ts'
import { isThereAndTrue } from '../conditions/is-there.ts'
import { leaveOut, type Telling } from '../conditions/told.ts'
import { whole } from '../shares.ts'
import { conditionOf, type GroupTest } from './condition.ts'
import type { GrowthBookRule } from './payload.ts'

/**
 * A rule of a feature: a part of the matching contexts receives values by weight, and all others go on to the next
 * rule.
 */
export interface Step {
  readonly condition: Condition
  /** Part of the matching contexts, in thousandths of a percent. */
  readonly part: number
  /** The attribute that contexts are bucketed by; the key when omitted. */
  readonly bucketBy?: string
  readonly serves: readonly { readonly value: unknown; readonly weight: number; readonly name?: string }[]
  readonly description?: string
}

/**
 * Translates a rule as an SDK evaluates it.
 *
 * @param name distinguishes its shares from those of other rules.
 * @returns undefined for a rule that SDKs skip.
 */
export function stepOf(telling: Telling, rule: GrowthBookRule, name: string, inGroup: GroupTest): Step | undefined {
  const served = 'force' in rule ? forced(rule) : experimented(rule)
  if (!served) return undefined
  const condition = rule.condition ? conditionOf(telling, rule.condition, inGroup) : always
  const by = isHashed(rule) ? (hashedAt(rule.hashAttribute) ?? unnamed(telling, rule.hashAttribute)) : 'key'
  if (by === undefined) return { ...served, condition: never }
  const conditions = [condition, ...filtersOf(telling, rule, name), ...(by === 'key' ? [] : [isThereAndTrue(by)])]
  const description = rule.name ?? rule.key ?? rule.id
  return {
    ...served,
    condition: all(...conditions, ...parentsOf(telling, rule)),
    ...(by === 'key' ? {} : { bucketBy: by }),
    ...(description ? { description } : {}),
  }
}

/** Only contexts with the hashed attribute are served, even when the rule serves all of them. */
function isHashed(rule: GrowthBookRule): boolean {
  return !('force' in rule) || Boolean(rule.range) || typeof rule.coverage === 'number'
}

/** The hashed attribute is not a path: a dot is a part of its name. */
function hashedAt(name: string | null | undefined): string | undefined {
  return !name || name === 'id' ? 'key' : attributeNamed(name)
}

function unnamed(telling: Telling, attribute: string | null | undefined): undefined {
  leaveOut(telling, `a share by ${attribute}`, 'a context attribute cannot have this name', 'send it under another name')
}

type Served = Pick<Step, 'part' | 'serves'>

function forced({ force, range, coverage }: GrowthBookRule): Served {
  const part = range ? range[1] - range[0] : (coverage ?? 1)
  return { part: thousandths(part), serves: [{ value: force, weight: 1 }] }
}

/** Contexts whose variation is marked `passthrough` go on to the next rule. */
function experimented({ variations, ranges, coverage, weights, meta }: GrowthBookRule): Served | undefined {
  if (!variations || variations.length < 2) return undefined
  const shares = ranges
    ? ranges.map(([start, end]) => Math.max(0, end - start))
    : weightsOf(variations.length, weights).map((weight) => weight * clamped(coverage ?? 1))
  const serves = variations.flatMap((value, at) => {
    const { name, key, passthrough } = meta?.[at] ?? {}
    const called = name ?? key
    return passthrough ? [] : [{ value, weight: shares[at] ?? 0, ...(called ? { name: called } : {}) }]
  })
  const taken = serves.filter(({ weight }) => weight > 0)
  return { part: thousandths(taken.reduce((sum, { weight }) => sum + weight, 0)), serves: taken }
}

/** Weights are equal when they are missing or their sum is not 1. */
function weightsOf(count: number, weights: readonly number[] | null | undefined): readonly number[] {
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? 0
  if (weights?.length === count && total >= 0.99 && total <= 1.01) return weights
  return Array.from({ length: count }, () => 1 / count)
}

/** Namespaces and filters: shares of which other experiments use parts too. */
function filtersOf(telling: Telling, { filters, namespace, hashAttribute }: GrowthBookRule, name: string): Condition[] {
  const ofNamespace = namespace ? [{ attribute: hashAttribute, ranges: [[namespace[1], namespace[2]] as const] }] : []
  return (filters ?? ofNamespace).map(({ attribute, ranges }, at) => {
    const by = hashedAt(attribute) ?? unnamed(telling, attribute)
    if (by === undefined) return never
    const weight = thousandths(ranges.reduce((sum, [start, end]) => sum + Math.max(0, end - start), 0))
    const share = { weight, contextKind: 'user', name: `filter ${at} of ${name}` }
    if (by === 'key') return { kind: 'share', share }
    return all(isThereAndTrue(by), { kind: 'share', share: { ...share, bucketBy: by } })
  })
}

/** Conditions on other flags that do not block the whole flag. */
function parentsOf(telling: Telling, { parentConditions }: GrowthBookRule): Condition[] {
  return (parentConditions ?? [])
    .filter(({ gate }) => !gate)
    .map(({ id }) => {
      const why = 'flags are prerequisites of whole flags here, not of rules'
      return leaveOut(
        telling,
        `a rule where the flag ${id} has a value`,
        why,
        'copy the conditions of that flag into the rule',
      )
    })
}

function clamped(part: number): number {
  return Math.min(1, Math.max(0, part))
}

function thousandths(part: number): number {
  return Math.round(clamped(part) * whole)
}
