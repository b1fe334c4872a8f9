import { documents, type Versioned } from '../../storage/collection.ts'

/** How changes of flags are to be released, in some environments or in all that no other policy speaks of. */
export interface ReleasePolicy extends Versioned {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly releaseMethod: ReleaseMethod
  /** Where it applies; the project's default policy has none. */
  readonly scope?: PolicyScope
  readonly guardedReleaseConfig?: GuardedReleaseConfig
  readonly progressiveReleaseConfig?: ProgressiveReleaseConfig
  readonly createdAt: number
}

export const releaseMethods = ['guarded-release', 'immediate-release', 'progressive-release'] as const

export type ReleaseMethod = (typeof releaseMethods)[number]

/** Any of the environments, and any of the tags of a flag where there are some. */
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

/** How many get the change, and for how long before there are more. */
export interface ReleaseStage {
  /** Thousandths of a percent. */
  readonly allocation: number
  readonly durationMillis: number
}

/** Most policies of a project, its default included. */
export const mostPolicies = 100

export const releasePolicies = documents<ReleasePolicy>()({
  name: 'release-policy',
  address: 'proj/{projectKey}:release-policy/{policyKey}',
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

/** The keys that lead to a policy. */
export interface PolicyKeys {
  readonly projectKey: string
  readonly policyKey: string
}
