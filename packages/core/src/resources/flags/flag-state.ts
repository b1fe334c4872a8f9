import { type Environment, environments } from '../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../models/flags/flag.ts'
import { defaultConfig, type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import type { ExpiryClock } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Reader } from '../../storage/reader.ts'
import { maxEnvironments } from '../environments/environments-response.ts'
import { configAt } from './config-at.ts'

/** A flag with its configurations, including those that were never changed. */
export interface FlagState {
  readonly flag: Flag
  /** Environments of the project, by key: all of them, or the requested ones. */
  readonly environments: readonly Environment[]
  /** Configurations by environment key, one for each of `environments`. */
  readonly configs: ReadonlyMap<string, FlagConfig>
}

/**
 * Reads a flag with all its configurations, in two rounds of storage requests.
 *
 * @param moment targets that have expired at this time are left out.
 * @returns undefined when the flag does not exist.
 */
export async function loadFlag(tx: Reader, keys: FlagKeys, moment: ExpiryClock): Promise<FlagState | undefined> {
  const [flag, environments] = await Promise.all([tx.get(flags, keys), loadEnvironments(tx, keys.projectKey)])
  if (!flag) return undefined
  const [state] = await withConfigs(tx, keys.projectKey, { flagList: [flag], environments }, moment)
  return state
}

/** Returns the environments of a project, by key. */
export async function loadEnvironments(tx: Reader, projectKey: string): Promise<readonly Environment[]> {
  return (await tx.list(environments, { projectKey }, { limit: maxEnvironments })).items
}

/** Flags, and the environments for which their configurations are read. */
export interface FlagsInEnvironments {
  readonly flagList: readonly Flag[]
  readonly environments: readonly Environment[]
}

/** Adds the current configurations of flags in these environments, with one storage request. */
export async function withConfigs(
  tx: Reader,
  projectKey: string,
  { flagList, environments }: FlagsInEnvironments,
  moment: ExpiryClock,
): Promise<FlagState[]> {
  const pairs = flagList.flatMap((flag) => environments.map((environment) => ({ flag, environment })))
  const storedConfigs = await tx.getMany(
    flagConfigs,
    pairs.map(({ flag, environment }) => ({ projectKey, environmentKey: environment.key, flagKey: flag.key })),
  )
  return flagList.map((flag, flagIndex) => {
    const configs = environments.map((environment, environmentIndex): [string, FlagConfig] => {
      const stored = storedConfigs[flagIndex * environments.length + environmentIndex]
      return [environment.key, stored ? configAt(flag, stored, moment) : defaultConfig(flag, environment)]
    })
    return { flag, environments, configs: new Map(configs) }
  })
}

/** Returns the flag with some of its environments only. Ignores unknown keys. */
export function limitToEnvironments(state: FlagState, environmentKeys: readonly string[]): FlagState {
  return { ...state, environments: state.environments.filter(({ key }) => environmentKeys.includes(key)) }
}

/**
 * Returns the revision of a flag and its environments, for ETags. The version of the flag already counts changes of its
 * configurations. The other parts change when an environment is created, changed or deleted, and when a target expires.
 */
export function revisionOf({ flag, environments, configs }: FlagState): string {
  const changes = environments.reduce((sum, { version }) => sum + version, 0)
  const newest = environments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  const dates = [...configs.values()].reduce((sum, { expiringTargets = [] }) => sum + expiringTargets.length, 0)
  return [flag.version, environments.length, changes, newest, dates].join('.')
}
