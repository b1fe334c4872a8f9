import type { Fault } from '../json-guard.ts'
import { userKind } from './clause.ts'
import { type Rollout, type Serve, wholeWeight } from './serve.ts'
import type { Target, Targeting } from './targeting.ts'

/**
 * Validates a targeting as a whole, after any kind of change; returns an empty list if it is valid.
 *
 * @param variationCount number of variations.
 */
export function targetingFaults(targeting: Targeting, count: number): Fault[] {
  const { offVariation } = targeting
  const offFault = offVariation === undefined ? [] : indexFaults('offVariation', offVariation, count)
  return [
    ...serveFaults('fallthrough', targeting.fallthrough, count),
    ...offFault,
    ...targeting.rules.flatMap((rule, at) => serveFaults(`rules.${at}`, rule, count)),
    ...idFaults(targeting),
    ...targetFaults(targeting, count),
  ]
}

function serveFaults(attribute: string, { variation, rollout }: Serve, count: number): Fault[] {
  if ((variation === undefined) === (rollout === undefined)) {
    return [{ attribute, reason: 'must serve either a variation or a rollout' }]
  }
  return rollout
    ? rolloutFaults(`${attribute}.rollout`, rollout, count)
    : indexFaults(`${attribute}.variation`, variation as number, count)
}

function rolloutFaults(attribute: string, { variations }: Rollout, count: number): Fault[] {
  const faults = variations.flatMap(({ variation }, at) =>
    indexFaults(`${attribute}.variations.${at}.variation`, variation, count),
  )
  const total = variations.reduce((sum, { weight }) => sum + weight, 0)
  if (total !== wholeWeight) faults.push({ attribute, reason: `must have weights that total ${wholeWeight}` })
  if (repeats(variations.map(({ variation }) => variation))) {
    faults.push({ attribute, reason: 'must not repeat a variation' })
  }
  return faults
}

function indexFaults(attribute: string, index: number, count: number): Fault[] {
  return index >= 0 && index < count ? [] : [{ attribute, reason: 'must be the index of a variation' }]
}

function idFaults({ rules }: Targeting): Fault[] {
  const faults: Fault[] = []
  if (repeats(rules.map((rule) => rule._id))) faults.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  for (const [at, { clauses }] of rules.entries()) {
    if (!repeats(clauses.map((clause) => clause._id))) continue
    faults.push({ attribute: `rules.${at}.clauses`, reason: 'must not repeat an _id' })
  }
  return faults
}

function targetFaults({ targets, contextTargets }: Targeting, count: number): Fault[] {
  const faults: Fault[] = []
  if (targets.some((one) => one.contextKind !== userKind)) {
    faults.push({ attribute: 'targets', reason: `must be of the context kind ${userKind}` })
  }
  if (contextTargets.some((one) => one.contextKind === userKind)) {
    const reason = `must not be of the context kind ${userKind}, which belongs into \`targets\``
    faults.push({ attribute: 'contextTargets', reason })
  }
  for (const [attribute, list] of Object.entries({ targets, contextTargets })) {
    faults.push(...list.flatMap(({ variation }, at) => indexFaults(`${attribute}.${at}.variation`, variation, count)))
    if (repeatsKey(list)) faults.push({ attribute, reason: 'must not contain a key twice' })
  }
  return faults
}

/** Returns true if a key occurs twice in the lists of one kind; a context gets one variation only. */
function repeatsKey(targets: readonly Target[]): boolean {
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

function repeats(items: readonly unknown[]): boolean {
  return new Set(items).size < items.length
}
