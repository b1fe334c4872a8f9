import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
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
  const { on, ...targeting } = targetingDataOf(config)
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
