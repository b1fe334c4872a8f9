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

/** A config with its targeting in all environments, including those in which it was never changed. */
export interface TargetingState {
  readonly config: AIConfig
  readonly variations: readonly AIConfigVariation[]
  /** The environments of the project, sorted by key. */
  readonly environments: readonly Environment[]
  /** Configurations by environment key, one for each of `environments`. */
  readonly targetings: ReadonlyMap<string, AIConfigTargeting>
}

/** Reads a config with its targeting in two batches. Returns undefined when the config does not exist. */
export async function loadTargeting(tx: Reader, keys: AIConfigKeys): Promise<TargetingState | undefined> {
  const [config, environments] = await Promise.all([tx.get(aiConfigs, keys), loadEnvironments(tx, keys.projectKey)])
  if (!config) return undefined
  const [stored, variations] = await Promise.all([
    tx.getMany(
      aiConfigTargetings,
      environments.map(({ key }) => ({ ...keys, environmentKey: key })),
    ),
    tx.getMany(
      aiConfigVariations,
      config.variations.map(({ key }) => ({ ...keys, variationKey: key })),
    ),
  ])
  const targetings = environments.map((environment, index): [string, AIConfigTargeting] => [
    environment.key,
    stored[index] ?? defaultTargeting(config, environment),
  ])
  return {
    config,
    variations: variations.filter((variation) => variation !== undefined),
    environments,
    targetings: new Map(targetings),
  }
}

/**
 * Returns the revision of a response that contains this targeting. It contains the version of the config, which changes
 * with each change of its targeting, and parts that change when an environment is created, updated or deleted.
 */
export function revisionOfTargeting({ config, environments }: TargetingState): string {
  const changes = environments.reduce((sum, { version }) => sum + version, 0)
  const newest = environments.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0)
  return [config.version, environments.length, changes, newest].join('.')
}
