import type { ValidationError } from '../json-guard.ts'
import { userKind } from './clause.ts'
import { type Rollout, type Serve, wholeWeight } from './serve.ts'
import type { Target, Targeting } from './targeting.ts'

/**
 * Validates a targeting as a whole, after any kind of change; returns an empty list if it is valid.
 *
 * @param variationCount number of variations.
 */
export function validateTargeting(targeting: Targeting, variationCount: number): ValidationError[] {
  const { offVariation } = targeting
  const offErrors = offVariation === undefined ? [] : validateIndex('offVariation', offVariation, variationCount)
  return [
    ...validateServe('fallthrough', targeting.fallthrough, variationCount),
    ...offErrors,
    ...targeting.rules.flatMap((rule, index) => validateServe(`rules.${index}`, rule, variationCount)),
    ...validateIds(targeting),
    ...validateTargets(targeting, variationCount),
  ]
}

function validateServe(attribute: string, { variation, rollout }: Serve, variationCount: number): ValidationError[] {
  if ((variation === undefined) === (rollout === undefined)) {
    return [{ attribute, reason: 'must serve either a variation or a rollout' }]
  }
  return rollout
    ? validateRollout(`${attribute}.rollout`, rollout, variationCount)
    : validateIndex(`${attribute}.variation`, variation as number, variationCount)
}

function validateRollout(attribute: string, { kind, variations }: Rollout, variationCount: number): ValidationError[] {
  const errors = variations.flatMap(({ variation }, index) =>
    validateIndex(`${attribute}.variations.${index}.variation`, variation, variationCount),
  )
  const total = variations.reduce((sum, { weight }) => sum + weight, 0)
  if (total !== wholeWeight) errors.push({ attribute, reason: `must have weights that total ${wholeWeight}` })
  if (kind !== 'experiment' && hasDuplicates(variations.map(({ variation }) => variation))) {
    errors.push({ attribute, reason: 'must not repeat a variation' })
  }
  return errors
}

function validateIndex(attribute: string, index: number, variationCount: number): ValidationError[] {
  return index >= 0 && index < variationCount ? [] : [{ attribute, reason: 'must be the index of a variation' }]
}

function validateIds({ rules }: Targeting): ValidationError[] {
  const errors: ValidationError[] = []
  if (hasDuplicates(rules.map((rule) => rule._id)))
    errors.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  for (const [index, { clauses }] of rules.entries()) {
    if (!hasDuplicates(clauses.map((clause) => clause._id))) continue
    errors.push({ attribute: `rules.${index}.clauses`, reason: 'must not repeat an _id' })
  }
  return errors
}

function validateTargets({ targets, contextTargets }: Targeting, variationCount: number): ValidationError[] {
  const errors: ValidationError[] = []
  if (targets.some((target) => target.contextKind !== userKind)) {
    errors.push({ attribute: 'targets', reason: `must be of the context kind ${userKind}` })
  }
  if (contextTargets.some((target) => target.contextKind === userKind)) {
    const reason = `must not be of the context kind ${userKind}, which belongs in \`targets\``
    errors.push({ attribute: 'contextTargets', reason })
  }
  for (const [attribute, list] of Object.entries({ targets, contextTargets })) {
    errors.push(
      ...list.flatMap(({ variation }, index) =>
        validateIndex(`${attribute}.${index}.variation`, variation, variationCount),
      ),
    )
    if (hasDuplicateKeys(list)) errors.push({ attribute, reason: 'must not contain a key twice' })
  }
  return errors
}

/** Returns true if a key occurs twice in the lists of one kind; a context gets one variation only. */
function hasDuplicateKeys(targets: readonly Target[]): boolean {
  const seen = new Map<string, Set<string>>()
  for (const { contextKind, values } of targets) {
    const keys = seen.get(contextKind) ?? new Set()
    seen.set(contextKind, keys)
    const before = keys.size
    for (const value of values) keys.add(value)
    if (keys.size < before + values.length) return true
  }
  return false
}

function hasDuplicates(items: readonly unknown[]): boolean {
  return new Set(items).size < items.length
}
