import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { named, type Subject } from '../../rules/sentences/sentence.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { type Serve, wholeWeight } from '../../rules/targeting/serve.ts'
import type { Targeting, TargetingRule } from '../../rules/targeting/targeting.ts'
import { expirySentences, targetingSentences } from '../../rules/targeting/targeting-sentences.ts'
import { documents, keySets, type Versioned } from '../../storage/collection.ts'
import type { Condition } from '../../storage/port.ts'
import type { Environment } from '../environments/environment.ts'
import {
  type AutomatedRelease,
  activeReleases,
  guardedStatesOf,
  releaseActions,
  releaseSentences,
} from './automated-release.ts'
import { type Flag, flags } from './flag.ts'
import { servesOneVariation } from './served-variations.ts'

export { type Rollout, type Serve, wholeWeight } from '../../rules/targeting/serve.ts'
export type { Target } from '../../rules/targeting/targeting.ts'

/** Configuration of a flag in one environment. */
export interface FlagConfig extends Targeting, Versioned {
  /** Expiry dates of targets, each with the id of its variation. `configAt` returns the configuration at a time. */
  readonly expiringTargets?: readonly ExpiringTarget[]
  readonly prerequisites: readonly Prerequisite[]
  /** Active and ended automated releases of the rules, the newest last. */
  readonly automatedReleases?: readonly AutomatedRelease[]
  /** Only in migration flags. Default: {@link defaultMigrationSettings}. */
  readonly migrationSettings?: ConfigMigrationSettings
  /** Integer ms. */
  readonly lastModified: number
}

export type FlagRule = TargetingRule

/** Settings for the comparison of the two systems of a migration in one environment. */
export interface ConfigMigrationSettings {
  /**
   * Number of reads from both systems of which one is compared, e.g. 10 for every tenth read. With 0, no reads are
   * compared.
   */
  readonly checkRatio: number
}

/** Compares every read. */
export const defaultMigrationSettings: ConfigMigrationSettings = { checkRatio: 1 }

/** Another flag of the project that must be on and serve this variation; otherwise the flag counts as off. */
export interface Prerequisite {
  readonly key: string
  /** Index of the variation of the other flag. */
  readonly variation: number
}

const address = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'

/** Returns the time at which the first target expires, integer ms. */
function nextExpiry({ expiringTargets = [] }: FlagConfig): number | undefined {
  const times = expiringTargets.map(({ expiresAt }) => expiresAt)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Maximum number of users with an expiry date that the row of a configuration contains. */
const maxIndexedUsers = 1_000

/** Returns the keys of the users with an expiry date; null when there are too many for a row. */
function usersWithExpiry({ expiringTargets = [] }: FlagConfig): readonly string[] | null {
  const users = expiringTargets.filter(({ contextKind }) => contextKind === userKind)
  const keys = [...new Set(users.map(({ contextKey }) => contextKey))]
  return keys.length > maxIndexedUsers ? null : keys
}

/**
 * Returns two lists of conditions. Each list matches some of the configurations in which a user may have an expiry
 * date. An index serves the first list. The second list matches configurations with too many users for a row, and rows
 * that earlier versions of the engine wrote; for it, the storage tests all rows of the environment, which takes about
 * 10 ms for 10,000 flags.
 */
export function mayExpireForUser(userKey: string): readonly (readonly Condition[])[] {
  return [
    [{ op: 'equals', field: 'expiringUsers', value: userKey }],
    [
      { op: 'exists', field: 'nextExpiry', value: true },
      { op: 'exists', field: 'expiringUsers', value: false },
    ],
  ]
}

/** Returns sentences about the flags that became prerequisites, or ceased to be prerequisites, by name. */
function prerequisiteSentences(before: FlagConfig, after: FlagConfig, { it, nameOf }: Subject): string[] {
  const missingIn = (others: readonly Prerequisite[], list: readonly Prerequisite[]) =>
    list.filter(({ key }) => !others.some((other) => other.key === key)).map(({ key }) => nameOf('flag', key))
  const added = missingIn(before.prerequisites, after.prerequisites)
  const removed = missingIn(after.prerequisites, before.prerequisites)
  const sentences = [
    ...(added.length > 0 ? [`added ${named(added, 'prerequisites')} to ${it}`] : []),
    ...(removed.length > 0 ? [`removed ${named(removed, 'prerequisites')} from ${it}`] : []),
  ]
  return sentences.length > 0 ? sentences : [`changed the prerequisites of ${it}`]
}

/** Configurations that were changed. All others equal {@link defaultConfig}. */
export const flagConfigs = documents<FlagConfig>()({
  name: 'flag-config',
  address,
  fields: (config) => ({
    on: config.on,
    servesOne: servesOneVariation(config),
    lastModified: config.lastModified,
    releasing: activeReleases(config).length > 0,
    guardedReleases: guardedStatesOf(config),
    /** Earliest expiry date. The row does not contain the state after that date. */
    nextExpiry: nextExpiry(config) ?? null,
    expiringUsers: usersWithExpiry(config),
    prerequisites: config.prerequisites.map(({ key }) => key),
  }),
  shownAt: ({ environmentKey }) => `/environments/${environmentKey}`,
  shown: { expiringTargets: null, automatedReleases: null },
  partOf: flags,
  sentences: {
    changed: {
      ...targetingSentences,
      expiringTargets: expirySentences,
      prerequisites: prerequisiteSentences,
      automatedReleases: releaseSentences,
    },
  },
  changes: {
    on: 'updateOn',
    targets: 'updateTargets',
    contextTargets: 'updateTargets',
    expiringTargets: 'updateExpiringTargets',
    rules: 'updateRules',
    fallthrough: 'updateFallthrough',
    offVariation: 'updateOffVariation',
    prerequisites: 'updatePrerequisites',
    automatedReleases: releaseActions,
    trackEvents: 'updateTrackEvents',
    trackEventsFallthrough: 'updateFlagFallthroughTrackEvents',
    migrationSettings: 'updateFlagConfigMigrationSettings',
    lastModified: null,
  },
})

/** Keys of the flags that have a flag as prerequisite, by environment. */
export const dependentFlags = keySets({ name: 'dependent-flags', address })

/** Keys of a configuration. */
export interface ConfigKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKey: string
}

/**
 * Returns the configuration of a flag in an environment in which it was never changed: version 0, off.
 *
 * It is not stored, so that creating a flag in a hundred environments, or an environment with ten thousand flags, takes
 * one write.
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

/** Returns true when `defaultConfig` is the same for two states of a flag, in each environment. */
export function haveSameDefaults(a: Flag, b: Flag): boolean {
  return (
    a.createdAt === b.createdAt &&
    jsonEqual(a.defaults, b.defaults) &&
    jsonEqual(a.migrationSettings, b.migrationSettings)
  )
}

/**
 * Returns a rollout with one variation. A migration flag serves only rollouts, also when all contexts get the same
 * variation.
 */
function wholeRollout(variation: number, { migrationSettings }: Flag): Serve {
  const contextKind = migrationSettings?.contextKind ?? 'user'
  return { rollout: { variations: [{ variation, weight: wholeWeight }], contextKind } }
}
