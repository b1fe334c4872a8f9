import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig, Target } from '../../models/flags/flag-config.ts'
import { type ExpiryClock, expiredTargets, type TargetId } from '../../rules/expiring-targets/expiring-targets.ts'

/**
 * Returns a configuration as it is at a time: without the targets whose expiry date has come. No job removes them on
 * that date. Every read leaves them out, and the next change stores the result.
 */
export function configAt(flag: Flag, config: FlagConfig, moment: ExpiryClock): FlagConfig {
  const { expiringTargets = [] } = config
  const expired = expiredTargets(expiringTargets, moment)
  if (expired.length === 0) return config
  return {
    ...config,
    targets: withoutExpired(flag, config.targets, expired),
    contextTargets: withoutExpired(flag, config.contextTargets, expired),
    expiringTargets: expiringTargets.filter((target) => !expired.includes(target)),
    lastModified: Math.max(config.lastModified, ...expired.map(({ expiresAt }) => expiresAt)),
  }
}

/** Returns a test of whether a context is a target of a variation now. Only such a target can expire. */
export function isTargetOf({ variations }: Flag, { targets, contextTargets }: FlagConfig): (name: TargetId) => boolean {
  const all = [...targets, ...contextTargets]
  return ({ place: variationId, contextKind, contextKey }) =>
    all.some(
      (target) =>
        target.contextKind === contextKind &&
        variations[target.variation]?._id === variationId &&
        target.values.includes(contextKey),
    )
}

function withoutExpired({ variations }: Flag, targets: readonly Target[], expired: readonly TargetId[]): Target[] {
  return targets
    .map((target) => {
      const variationId = variations[target.variation]?._id
      const ofTarget = expired.filter((name) => name.place === variationId && name.contextKind === target.contextKind)
      const expiredKeys = new Set(ofTarget.map(({ contextKey }) => contextKey))
      return { ...target, values: target.values.filter((key) => !expiredKeys.has(key)) }
    })
    .filter(({ values }) => values.length > 0)
}
