import { servedByRelease } from '../../../models/flags/automated-release.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { isActive } from '../../../rules/release/automation.ts'
import { serveOf } from './rule-serve.ts'

/** A change of the variation that all contexts of a rule get. `original` and `target` are indexes of variations. */
export interface ReleasedServe {
  /** Absent for the default rule. */
  readonly ruleId?: string
  readonly original: number
  readonly target: number
}

/**
 * Returns the changes between two configurations to which a release policy applies: the default rule of a flag that is
 * turned on, and, while the flag is on, the default rule and existing rules that begin to serve another variation.
 *
 * New rules are not included, because their contexts had no variation from the rule before. A rule that begins to serve
 * a rollout is not included either, because the rollout distributes contexts already.
 */
export function releasedServes(flag: Flag, before: FlagConfig, after: FlagConfig): ReleasedServe[] {
  if (!after.on || flag.migrationSettings) return []
  const releases = after.automatedReleases ?? []
  const isFree = ({ ruleId }: ReleasedServe) =>
    !releases.some((release) => release.ruleId === ruleId && isActive(release))
  const serves = before.on ? changedServes(before, after) : turnedOnServes(flag, after)
  return serves.filter(({ original, target }) => original !== target).filter(isFree)
}

function turnedOnServes(flag: Flag, after: FlagConfig): ReleasedServe[] {
  const target = after.fallthrough.variation ?? targetOfStopped(flag, after)
  if (target === undefined) return []
  // While a flag without an off variation was off, SDKs served the default values of their callers, which no rollout
  // can serve.
  return [{ original: after.offVariation ?? flag.defaults.offVariation, target }]
}

/**
 * Returns the target of the release that was stopped when the flag was turned off, if the default rule still serves a
 * stage of this release.
 */
function targetOfStopped(flag: Flag, { automatedReleases = [], fallthrough }: FlagConfig): number | undefined {
  const last = automatedReleases.findLast(({ ruleId }) => ruleId === undefined)
  if (last?.status !== 'stopped') return undefined
  const served = servedByRelease(flag, { ...last, status: 'running' })
  if (!jsonEqual(served, fallthrough)) return undefined
  return flag.variations.findIndex(({ _id }) => _id === last.targetVariationId)
}

function changedServes(before: FlagConfig, after: FlagConfig): ReleasedServe[] {
  const ruleIds = [undefined, ...after.rules.map(({ _id }) => _id)]
  return ruleIds.flatMap((ruleId) => {
    const [original, target] = [serveOf(before, ruleId)?.variation, serveOf(after, ruleId)?.variation]
    if (original === undefined || target === undefined) return []
    return [{ ...(ruleId === undefined ? {} : { ruleId }), original, target }]
  })
}
