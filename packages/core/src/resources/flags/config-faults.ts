import type { Fault } from '../../rules/json-guard.ts'
import { fallthroughId } from '../../rules/migration-safety/cohorts.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { type Rollout, type Serve, wholeWeight } from '../../rules/targeting/serve.ts'
import type { Flag } from './flag.ts'
import type { FlagConfig, Target } from './flag-config.ts'
import { migrationFaults } from './migration-faults.ts'

/** What is wrong with a configuration as a whole, whichever way it was changed; empty when nothing is. */
export function configFaults(flag: Flag, config: FlagConfig): Fault[] {
  const count = flag.variations.length
  const { offVariation } = config
  const offFault = offVariation === undefined ? [] : indexFaults('offVariation', offVariation, count)
  return [
    ...serveFaults('fallthrough', config.fallthrough, count),
    ...offFault,
    ...config.rules.flatMap((rule, at) => serveFaults(`rules.${at}`, rule, count)),
    ...idFaults(config),
    ...targetFaults(config, count),
    ...prerequisiteFaults(flag, config),
    ...migrationFaults(flag, config),
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

function idFaults({ rules }: FlagConfig): Fault[] {
  const faults: Fault[] = []
  if (repeats(rules.map((rule) => rule._id))) faults.push({ attribute: 'rules', reason: 'must not repeat an _id' })
  if (rules.some((rule) => rule._id === fallthroughId)) {
    faults.push({ attribute: 'rules', reason: `must not use the _id ${fallthroughId}, which is the default rule's` })
  }
  for (const [at, { clauses }] of rules.entries()) {
    if (!repeats(clauses.map((clause) => clause._id))) continue
    faults.push({ attribute: `rules.${at}.clauses`, reason: 'must not repeat an _id' })
  }
  return faults
}

function targetFaults({ targets, contextTargets }: FlagConfig, count: number): Fault[] {
  const faults: Fault[] = []
  if (targets.some((one) => one.contextKind !== userKind)) {
    faults.push({ attribute: 'targets', reason: `must be of the context kind ${userKind}` })
  }
  if (contextTargets.some((one) => one.contextKind === userKind)) {
    const reason = `must not be of the context kind ${userKind}, which has targets of its own`
    faults.push({ attribute: 'contextTargets', reason })
  }
  for (const [attribute, list] of Object.entries({ targets, contextTargets })) {
    faults.push(...list.flatMap(({ variation }, at) => indexFaults(`${attribute}.${at}.variation`, variation, count)))
    if (repeatsKey(list)) faults.push({ attribute, reason: 'must not name a key twice' })
  }
  return faults
}

/** A context gets one variation, so its key stands in one list of its kind, and there once. */
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

function prerequisiteFaults(flag: Flag, { prerequisites }: FlagConfig): Fault[] {
  const keys = prerequisites.map(({ key }) => key)
  const faults: Fault[] = []
  if (repeats(keys)) faults.push({ attribute: 'prerequisites', reason: 'must not repeat a flag' })
  if (keys.includes(flag.key)) faults.push({ attribute: 'prerequisites', reason: 'must not be the flag itself' })
  return faults
}

function repeats(items: readonly unknown[]): boolean {
  return new Set(items).size < items.length
}
