import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig, Target } from '../../models/flags/flag-config.ts'
import { expiredTargets, type Moment, type TargetName } from '../../rules/expiring-targets/expiring-targets.ts'

/**
 * A configuration as it is at a moment: without the targets whose date has come. Nothing has to run on that date,
 * whoever reads honours it, and the next change stores what is left.
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

/** Whether a key is a target of a variation now: only such a one can stop being one. */
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
