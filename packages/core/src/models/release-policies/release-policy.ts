import type { ReleaseStage } from '../../rules/release/automation.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * A method of releasing changes of flags. It applies in some environments, or, as the default policy, where no other
 * policy applies.
 */
export interface ReleasePolicy extends Versioned {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly releaseMethod: ReleaseMethod
  /** The changes that the policy applies to. The default policy of the project has no scope. */
  readonly scope?: PolicyScope
  readonly guardedReleaseConfig?: GuardedReleaseConfig
  readonly progressiveReleaseConfig?: ProgressiveReleaseConfig
  readonly createdAt: number
}

export const releaseMethods = ['guarded-release', 'immediate-release', 'progressive-release'] as const

export type ReleaseMethod = (typeof releaseMethods)[number]

/** Matches changes in any of these environments. If the scope lists tags, the flag must also have one of them. */
export interface PolicyScope {
  readonly environmentKeys: readonly string[]
  readonly flagTagKeys: readonly string[]
}

export interface ProgressiveReleaseConfig {
  /** A kind of context. */
  readonly rolloutContextKindKey?: string
  readonly stages: readonly ReleaseStage[]
}

export interface GuardedReleaseConfig extends ProgressiveReleaseConfig {
  readonly minSampleSize?: number
  readonly rollbackOnRegression: boolean
  readonly metricKeys: readonly string[]
  readonly metricGroupKeys: readonly string[]
}

/** Maximum number of policies of a project, including the default. */
export const maxPolicies = 100

export const releasePolicies = documents<ReleasePolicy>()({
  name: 'release-policy',
  address: 'proj/{projectKey}:release-policy/{policyKey}',
  shown: { id: '_id', createdAt: null },
  sentences: {
    changed: { guardedReleaseConfig: 'guarded release', progressiveReleaseConfig: 'progressive release' },
  },
  changes: {
    id: null,
    key: null,
    name: 'updateReleasePolicy',
    releaseMethod: 'updateReleasePolicy',
    scope: 'updateReleasePolicy',
    guardedReleaseConfig: 'updateReleasePolicy',
    progressiveReleaseConfig: 'updateReleasePolicy',
    createdAt: null,
  },
})

/** The keys that identify a policy. */
export interface PolicyKeys {
  readonly projectKey: string
  readonly policyKey: string
}
