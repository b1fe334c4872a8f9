import { type AIConfig, type AIConfigKeys, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import {
  type AIConfigTargeting,
  aiConfigTargetings,
  defaultTargeting,
} from '../../../models/ai-configs/ai-config-targeting.ts'
import { type AIConfigVariation, aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import type { Environment } from '../../../models/environments/environment.ts'
import type { Reader } from '../../../storage/reader.ts'
import { loadEnvironments } from '../../flags/flag-state.ts'

/** A config with its targeting in all environments, those that nobody changed too. */
export interface TargetingState {
  readonly config: AIConfig
  readonly variations: readonly AIConfigVariation[]
  /** By key. */
  readonly environments: readonly Environment[]
  /** By environment key; one for each of `environments`. */
  readonly targetings: ReadonlyMap<string, AIConfigTargeting>
}

/** Reads a config with its targeting, in two turns; undefined when there is none. */
export async function loadTargeting(tx: Reader, keys: AIConfigKeys): Promise<TargetingState | undefined> {
  const [config, environments] = await Promise.all([tx.get(aiConfigs, keys), loadEnvironments(tx, keys.projectKey)])
  if (!config) return undefined
  const [found, variations] = await Promise.all([
    tx.getMany(
      aiConfigTargetings,
      environments.map(({ key }) => ({ ...keys, environmentKey: key })),
    ),
    tx.getMany(
      aiConfigVariations,
      config.variations.map(({ key }) => ({ ...keys, variationKey: key })),
    ),
  ])
  const targetings = environments.map((environment, at): [string, AIConfigTargeting] => [
    environment.key,
    found[at] ?? defaultTargeting(config, environment),
  ])
  return {
    config,
    variations: variations.filter((variation) => variation !== undefined),
    environments,
    targetings: new Map(targetings),
  }
}

/**
 * What tells two answers apart that show this targeting: the config moves with each change of it, the rest when an
 * environment is created, changed or deleted.
 */
export function revisionOfTargeting({ config, environments }: TargetingState): string {
  const changes = environments.reduce((sum, { version }) => sum + version, 0)
  const newest = environments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  return [config.version, environments.length, changes, newest].join('.')
}
