import { environments } from '../../models/environments/environment.ts'
import type { AutomatedRelease } from '../../models/flags/automated-release.ts'
import { flags } from '../../models/flags/flag.ts'
import { type ConfigKeys, flagConfigs } from '../../models/flags/flag-config.ts'
import type { Reader } from '../../storage/reader.ts'

/**
 * Returns the automated releases of a flag in an environment, in the order of their starts; undefined when the flag or
 * the environment does not exist.
 */
export async function loadReleases(tx: Reader, keys: ConfigKeys): Promise<readonly AutomatedRelease[] | undefined> {
  const [flag, environment, config] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  return flag && environment ? (config?.automatedReleases ?? []) : undefined
}
