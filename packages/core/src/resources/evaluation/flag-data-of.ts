import { activeReleases } from '../../models/flags/automated-release.ts'
import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
import type { ServeData } from '../../rules/evaluation/flag-data.ts'
import type { FlagData } from '../../rules/evaluation/index.ts'
import { targetingDataOf } from '../../rules/evaluation/targeting-data.ts'

/**
 * Returns a flag of an environment as SDKs receive it. Its version is that of the flag, which changes with each of its
 * configurations.
 *
 * @param config current configuration, without expired targets.
 */
export function flagDataOf(flag: Flag, config: FlagConfig): FlagData {
  const { migrationSettings } = config
  const { on, ...targeting } = reportedReleases(config, targetingDataOf(config))
  return {
    key: flag.key,
    version: flag.version,
    on,
    salt: flag.salt,
    variations: flag.variations.map(({ value }) => value),
    prerequisites: config.prerequisites,
    ...targeting,
    clientSideAvailability: flag.clientSideAvailability,
    ...(migrationSettings ? { migration: { checkRatio: migrationSettings.checkRatio } } : {}),
  }
}

/**
 * Marks the rollouts of guarded releases as experiments, so that SDKs report which context got which variation. Without
 * a seed, an experiment distributes contexts as the rollout does.
 */
function reportedReleases<T extends ReturnType<typeof targetingDataOf>>(config: FlagConfig, data: T): T {
  const guarded = new Set(activeReleases(config).flatMap(({ guard, ruleId }) => (guard ? [ruleId] : [])))
  if (guarded.size === 0) return data
  return {
    ...data,
    rules: data.rules.map((rule) => (guarded.has(rule.id) ? { ...rule, ...reported(rule) } : rule)),
    fallthrough: guarded.has(undefined) ? reported(data.fallthrough) : data.fallthrough,
  }
}

function reported({ variation, rollout }: ServeData): ServeData {
  return rollout ? { rollout: { ...rollout, kind: 'experiment' } } : { variation }
}
