import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig, Target } from '../../models/flags/flag-config.ts'
import { expiredTargets, type Moment, type TargetName } from '../../rules/expiring-targets/expiring-targets.ts'

/**
 * Returns a configuration as it is at a time: without the targets whose expiry date has come. No job removes them on
 * that date. Every read leaves them out, and the next change stores the result.
 */
export function configAt(flag: Flag, config: FlagConfig, moment: Moment): FlagConfig {
  const { expiringTargets = [] } = config
  const expired = expiredTargets(expiringTargets, moment)
  if (expired.length === 0) return config
  return {
    ...config,
    targets: without(flag, config.targets, expired),
    contextTargets: without(flag, config.contextTargets, expired),
    expiringTargets: expiringTargets.filter((one) => !expired.includes(one)),
    lastModified: Math.max(config.lastModified, ...expired.map(({ expiresAt }) => expiresAt)),
  }
}

/** Returns a test of whether a context is a target of a variation now. Only such a target can expire. */
export function isTargetOf(
  { variations }: Flag,
  { targets, contextTargets }: FlagConfig,
): (name: TargetName) => boolean {
  const all = [...targets, ...contextTargets]
  return ({ place, contextKind, contextKey }) =>
    all.some(
      (one) =>
        one.contextKind === contextKind && variations[one.variation]?._id === place && one.values.includes(contextKey),
    )
}

function without({ variations }: Flag, targets: readonly Target[], expired: readonly TargetName[]): Target[] {
  return targets
    .map((target) => {
      const place = variations[target.variation]?._id
      const ofTarget = expired.filter((one) => one.place === place && one.contextKind === target.contextKind)
      const leaving = new Set(ofTarget.map(({ contextKey }) => contextKey))
      return { ...target, values: target.values.filter((key) => !leaving.has(key)) }
    })
    .filter(({ values }) => values.length > 0)
}
