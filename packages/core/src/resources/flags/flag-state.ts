import { type Environment, environments } from '../../models/environments/environment.ts'
import { type Flag, type FlagKeys, flags } from '../../models/flags/flag.ts'
import { defaultConfig, type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import type { Moment } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Reader } from '../../storage/reader.ts'
import { mostEnvironments } from '../environments/present-environments.ts'
import { configAt } from './config-at.ts'

/** A flag with its configurations, those that nobody changed too. */
export interface FlagState {
  readonly flag: Flag
  /** Environments of the project, by key: all of them, or those that were asked for. */
  readonly environments: readonly Environment[]
  /** By environment key; one for each of `environments`. */
  readonly configs: ReadonlyMap<string, FlagConfig>
}

/**
 * Reads a flag with all its configurations, in two turns.
 *
 * @param moment targets whose date has come are left out.
 * @returns undefined when there is none.
 */
export async function loadFlag(tx: Reader, keys: FlagKeys, moment: Moment): Promise<FlagState | undefined> {
  const [flag, environments] = await Promise.all([tx.get(flags, keys), loadEnvironments(tx, keys.projectKey)])
  if (!flag) return undefined
  const [state] = await withConfigs(tx, keys.projectKey, [flag], environments, moment)
  return state
}

/** The environments of a project, by key. */
export async function loadEnvironments(tx: Reader, projectKey: string): Promise<readonly Environment[]> {
  return (await tx.list(environments, { projectKey }, { limit: mostEnvironments })).items
}

/** Adds the configurations of flags in these environments as they are now, in one question. */
export async function withConfigs(
  tx: Reader,
  projectKey: string,
  list: readonly Flag[],
  environments: readonly Environment[],
  moment: Moment,
): Promise<FlagState[]> {
  const places = list.flatMap((flag) => environments.map((environment) => ({ flag, environment })))
  const found = await tx.getMany(
    flagConfigs,
    places.map(({ flag, environment }) => ({ projectKey, environmentKey: environment.key, flagKey: flag.key })),
  )
  return list.map((flag, at) => {
    const configs = environments.map((environment, i): [string, FlagConfig] => {
      const stored = found[at * environments.length + i]
      return [environment.key, stored ? configAt(flag, stored, moment) : defaultConfig(flag, environment)]
    })
    return { flag, environments, configs: new Map(configs) }
  })
}

/** The same flag, seen in some environments only; unknown keys find nothing. */
export function seenIn(state: FlagState, environmentKeys: readonly string[]): FlagState {
  return { ...state, environments: state.environments.filter(({ key }) => environmentKeys.includes(key)) }
}

/**
 * What tells two answers apart that show this flag. Its own version counts the changes of its configurations too; the
 * rest moves when an environment is created, changed or deleted, and when the date of a target comes.
 */
export function revisionOf({ flag, environments, configs }: FlagState): string {
  const changes = environments.reduce((sum, { version }) => sum + version, 0)
  const newest = environments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  const dates = [...configs.values()].reduce((sum, { expiringTargets = [] }) => sum + expiringTargets.length, 0)
  return [flag.version, environments.length, changes, newest, dates].join('.')
}
