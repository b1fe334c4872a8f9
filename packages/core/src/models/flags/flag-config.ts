import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { type Serve, wholeWeight } from '../../rules/targeting/serve.ts'
import type { Targeting, TargetingRule } from '../../rules/targeting/targeting.ts'
import { documents, keySets, type Versioned } from '../../storage/collection.ts'
import type { Environment } from '../environments/environment.ts'
import type { Flag } from './flag.ts'
import { servesOne } from './served-variations.ts'

export { type Rollout, type Serve, wholeWeight } from '../../rules/targeting/serve.ts'
export type { Target } from '../../rules/targeting/targeting.ts'

/** How a flag behaves in one environment. */
export interface FlagConfig extends Targeting, Versioned {
  /** When targets stop being some; each names the id of its variation. What is seen at a moment tells `configAt`. */
  readonly expiringTargets?: readonly ExpiringTarget[]
  readonly prerequisites: readonly Prerequisite[]
  /** Of migration flags only. Default: {@link defaultMigrationSettings}. */
  readonly migrationSettings?: ConfigMigrationSettings
  /** Integer ms. */
  readonly lastModified: number
}

export type FlagRule = TargetingRule

/** How a migration is watched in one environment. */
export interface ConfigMigrationSettings {
  /** Of how many reads from both systems one is compared; 0 compares none. */
  readonly checkRatio: number
}

/** Every read is compared. */
export const defaultMigrationSettings: ConfigMigrationSettings = { checkRatio: 1 }

/** Another flag of the project that must be on and serve this variation, or the flag counts as off. */
export interface Prerequisite {
  readonly key: string
  /** Index of the other flag's variation. */
  readonly variation: number
}

const address = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'

/** When the first of the targets stops being one: integer ms. */
function nextExpiry({ expiringTargets = [] }: FlagConfig): number | undefined {
  const moments = expiringTargets.map(({ expiresAt }) => expiresAt)
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** Configurations that were changed; all others are what {@link defaultConfig} makes. */
export const flagConfigs = documents<FlagConfig>()({
  name: 'flag-config',
  address,
  fields: (config) => ({
    on: config.on,
    servesOne: servesOne(config),
    lastModified: config.lastModified,
    /** The first of its dates; what a configuration is after it, the row does not tell. */
    nextExpiry: nextExpiry(config) ?? null,
    prerequisites: config.prerequisites.map(({ key }) => key),
  }),
  changes: {
    on: 'updateOn',
    targets: 'updateTargets',
    contextTargets: 'updateTargets',
    expiringTargets: 'updateExpiringTargets',
    rules: 'updateRules',
    fallthrough: 'updateFallthrough',
    offVariation: 'updateOffVariation',
    prerequisites: 'updatePrerequisites',
    trackEvents: 'updateTrackEvents',
    trackEventsFallthrough: 'updateFlagFallthroughTrackEvents',
    migrationSettings: 'updateFlagConfigMigrationSettings',
    lastModified: null,
  },
})

/** Keys of the flags that have a flag as prerequisite, environment by environment. */
export const dependentFlags = keySets({ name: 'dependent-flags', address })

/** The keys that lead to a configuration. */
export interface ConfigKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKey: string
}

/**
 * The configuration of a flag in an environment where nobody changed it: version 0, off.
 *
 * Not stored, so that a flag in a hundred environments, or an environment of ten thousand flags, costs one write.
 */
export function defaultConfig(flag: Flag, environment: Environment): FlagConfig {
  const { onVariation, offVariation } = flag.defaults
  return {
    version: 0,
    on: false,
    targets: [],
    contextTargets: [],
    rules: [],
    fallthrough: flag.migrationSettings ? wholeRollout(onVariation, flag) : { variation: onVariation },
    offVariation,
    prerequisites: [],
    trackEvents: environment.defaultTrackEvents,
    trackEventsFallthrough: false,
    ...(flag.migrationSettings ? { migrationSettings: defaultMigrationSettings } : {}),
    lastModified: flag.createdAt,
  }
}

/** A migration flag serves rollouts alone, also where all contexts get the same. */
function wholeRollout(variation: number, { migrationSettings }: Flag): Serve {
  const contextKind = migrationSettings?.contextKind ?? 'user'
  return { rollout: { variations: [{ variation, weight: wholeWeight }], contextKind } }
}
