import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Rule } from '../../rules/targeting/rule.ts'
import { documents, members, type Versioned } from '../../storage/collection.ts'
import type { Environment } from '../environments/environment.ts'
import type { Flag } from './flag.ts'

/** How a flag behaves in one environment. */
export interface FlagConfig extends Versioned {
  readonly on: boolean
  /** Keys of users, variation by variation. */
  readonly targets: readonly Target[]
  /** The same for contexts of other kinds. */
  readonly contextTargets: readonly Target[]
  /** When targets stop being some; each names the id of its variation. What is seen at a moment tells `configAt`. */
  readonly expiringTargets?: readonly ExpiringTarget[]
  /** The first that matches decides, after the targets. */
  readonly rules: readonly FlagRule[]
  readonly fallthrough: Serve
  /** Where it is left out, SDKs fall back to the value given in code. */
  readonly offVariation?: number
  readonly prerequisites: readonly Prerequisite[]
  readonly trackEvents: boolean
  readonly trackEventsFallthrough: boolean
  /** Integer ms. */
  readonly lastModified: number
}

export interface Target {
  readonly values: readonly string[]
  /** Index of what they get. */
  readonly variation: number
  readonly contextKind: string
}

/** What is served: one variation, by its index, or a rollout; never both. */
export interface Serve {
  readonly variation?: number
  readonly rollout?: Rollout
}

/** Shares of the contexts, by chance but for each context always the same. */
export interface Rollout {
  /** Weights in thousandths of a percent; together {@link wholeWeight}. */
  readonly variations: readonly { readonly variation: number; readonly weight: number }[]
  readonly contextKind: string
  /** The attribute that decides which share a context falls in; its key where left out. */
  readonly bucketBy?: string
}

/** 100 percent. */
export const wholeWeight = 100_000

export interface FlagRule extends Rule, Serve {
  readonly trackEvents: boolean
}

/** Another flag of the project that must be on and serve this variation, or the flag counts as off. */
export interface Prerequisite {
  readonly key: string
  /** Index of the other flag's variation. */
  readonly variation: number
}

const address = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'

/** Configurations that were changed; all others are what {@link defaultConfig} makes. */
export const flagConfigs = documents<FlagConfig>()({
  name: 'flag-config',
  address,
  fields: ({ prerequisites }) => ({ prerequisites: prerequisites.map(({ key }) => key) }),
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
    lastModified: null,
  },
})

/** Keys of the flags that have a flag as prerequisite, environment by environment. */
export const dependentFlags = members({ name: 'dependent-flags', address })

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
    lastModified: flag.createdAt,
  }
}

/** A migration flag serves rollouts alone, also where all contexts get the same. */
function wholeRollout(variation: number, { migrationSettings }: Flag): Serve {
  const contextKind = migrationSettings?.contextKind ?? 'user'
  return { rollout: { variations: [{ variation, weight: wholeWeight }], contextKind } }
}
