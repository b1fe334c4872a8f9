import { attributeReference } from '../conditions/attribute-tests.ts'
import { all, always, type Condition, never } from '../conditions/condition.ts'
import { isDefinedAndTruthy } from '../conditions/presence.ts'
import { omitCondition, type Translation } from '../conditions/translation.ts'
import { fullWeight } from '../shares.ts'
import { conditionOf, type GrowthBookTranslation } from './condition.ts'
import type { GrowthBookRule } from './payload.ts'

/**
 * A rule of a feature: a part of the matching contexts receives values by weight, and all others go on to the next
 * rule.
 */
export interface Step {
  readonly condition: Condition
  /** Part of the matching contexts, in thousandths of a percent. */
  readonly part: number
  /** The attribute by which contexts are bucketed; the key when omitted. */
  readonly bucketBy?: string
  readonly serves: readonly { readonly value: unknown; readonly weight: number; readonly name?: string }[]
  readonly description?: string
}

/**
 * Translates a rule as an SDK evaluates it.
 *
 * @param name distinguishes the shares of the rule from the shares of other rules.
 * @returns undefined for a rule that SDKs skip.
 */
export function stepOf(translation: GrowthBookTranslation, rule: GrowthBookRule, name: string): Step | undefined {
  const served = 'force' in rule ? forcedShare(rule) : experimentShares(rule)
  if (!served) return undefined
  const condition = rule.condition ? conditionOf(translation, rule.condition) : always
  const hashedAttribute = isHashed(rule)
    ? (hashAttributeReference(rule.hashAttribute) ?? omitShare(translation, rule.hashAttribute))
    : 'key'
  if (hashedAttribute === undefined) return { ...served, condition: never }
  const conditions = [
    condition,
    ...filtersOf(translation, rule, name),
    ...(hashedAttribute === 'key' ? [] : [isDefinedAndTruthy(hashedAttribute)]),
  ]
  const description = rule.name ?? rule.key ?? rule.id
  return {
    ...served,
    condition: all(...conditions, ...parentsOf(translation, rule)),
    ...(hashedAttribute === 'key' ? {} : { bucketBy: hashedAttribute }),
    ...(description ? { description } : {}),
  }
}

/**
 * Returns true if a rule hashes an attribute. Such a rule serves only contexts with this attribute, even when it serves
 * all of them.
 */
function isHashed(rule: GrowthBookRule): boolean {
  return !('force' in rule) || Boolean(rule.range) || typeof rule.coverage === 'number'
}

/** Returns the reference to the hashed attribute. Its name is not a path: a dot is a part of the name. */
function hashAttributeReference(name: string | null | undefined): string | undefined {
  return !name || name === 'id' ? 'key' : attributeReference(name)
}

function omitShare(translation: Translation, attribute: string | null | undefined): undefined {
  omitCondition(translation, {
    what: `a share by ${attribute}`,
    why: 'a context attribute cannot have this name',
    instead: 'send it under another name',
  })
}

type ServedShare = Pick<Step, 'part' | 'serves'>

function forcedShare({ force, range, coverage }: GrowthBookRule): ServedShare {
  const part = range ? range[1] - range[0] : (coverage ?? 1)
  return { part: toThousandths(part), serves: [{ value: force, weight: 1 }] }
}

/** Contexts whose variation is marked `passthrough` go on to the next rule. */
function experimentShares({ variations, ranges, coverage, weights, meta }: GrowthBookRule): ServedShare | undefined {
  if (!variations || variations.length < 2) return undefined
  const shares = ranges
    ? ranges.map(([start, end]) => Math.max(0, end - start))
    : weightsOf(variations.length, weights).map((weight) => weight * clamp(coverage ?? 1))
  const serves = variations.flatMap((value, index) => {
    const { name, key, passthrough } = meta?.[index] ?? {}
    const variationName = name ?? key
    return passthrough ? [] : [{ value, weight: shares[index] ?? 0, ...(variationName ? { name: variationName } : {}) }]
  })
  const served = serves.filter(({ weight }) => weight > 0)
  return { part: toThousandths(served.reduce((sum, { weight }) => sum + weight, 0)), serves: served }
}

/** Returns equal weights when the weights are missing or their sum is not 1. */
function weightsOf(count: number, weights: readonly number[] | null | undefined): readonly number[] {
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? 0
  if (weights?.length === count && total >= 0.99 && total <= 1.01) return weights
  return Array.from({ length: count }, () => 1 / count)
}

/** Returns the filters and the namespace of a rule: shares that several experiments divide among them. */
function filtersOf(
  translation: Translation,
  { filters, namespace, hashAttribute }: GrowthBookRule,
  name: string,
): Condition[] {
  const ofNamespace = namespace ? [{ attribute: hashAttribute, ranges: [[namespace[1], namespace[2]] as const] }] : []
  return (filters ?? ofNamespace).map(({ attribute, ranges }, index) => {
    const hashedAttribute = hashAttributeReference(attribute) ?? omitShare(translation, attribute)
    if (hashedAttribute === undefined) return never
    const weight = toThousandths(ranges.reduce((sum, [start, end]) => sum + Math.max(0, end - start), 0))
    const share = { weight, contextKind: 'user', name: `filter ${index} of ${name}` }
    if (hashedAttribute === 'key') return { kind: 'share', share }
    return all(isDefinedAndTruthy(hashedAttribute), { kind: 'share', share: { ...share, bucketBy: hashedAttribute } })
  })
}

/** Conditions on other flags that do not block the whole flag. */
function parentsOf(translation: Translation, { parentConditions }: GrowthBookRule): Condition[] {
  return (parentConditions ?? [])
    .filter(({ gate }) => !gate)
    .map(({ id }) => {
      const why = 'in Halyard flags are prerequisites of whole flags, not of rules'
      return omitCondition(translation, {
        what: `a rule where the flag ${id} has a value`,
        why,
        instead: 'copy the conditions of that flag into the rule',
      })
    })
}

function clamp(part: number): number {
  return Math.min(1, Math.max(0, part))
}

function toThousandths(part: number): number {
  return Math.round(clamp(part) * fullWeight)
}
