import { documents, series, type Versioned } from '../../storage/collection.ts'
import { type DeploymentHistory, stateOf } from './deployment-history.ts'

export const applicationKinds = ['server', 'browser', 'mobile'] as const

export type NamedMember = 'applicationName' | 'applicationKind' | 'versionName'

/** One version of an application on its way into one environment. */
export interface Deployment extends Versioned {
  readonly id: string
  readonly applicationKey: string
  readonly applicationName?: string
  readonly applicationKind: (typeof applicationKinds)[number]
  readonly applicationVersion: string
  readonly versionName?: string
  /** When the event happened that each of the names above was told by; integer ms. */
  readonly namesAt?: Readonly<Partial<Record<NamedMember, number>>>
  readonly history: DeploymentHistory
  /** When it started, each time once and in order; integer ms. Of very many the latest. Left out while none was told. */
  readonly startTimes?: readonly number[]
  /** What it brought, by ids. Of very many the latest. Left out while nothing was named. */
  readonly brought?: readonly BroughtChange[]
  /** What the latest event that said anything about the deployment said. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** When that event happened; -1 when there was none. */
  readonly metadataAt: number
  /** What it brought, each change once, by `externalId`. */
  readonly pullRequests: readonly PullRequest[]
  readonly archived: boolean
  readonly createdAt: number
}

/** A change that a deployment brought, and when: at the first of its successes that named the change. */
export interface BroughtChange {
  readonly kind: 'pullRequest' | 'commit'
  readonly id: string
  /** Integer ms, UTC. */
  readonly at: number
}

/** A change that a deployment brought; moments in integer ms, UTC. */
export interface PullRequest {
  readonly externalId: string
  readonly title?: string
  readonly url?: string
  readonly author?: string
  /** First commit. */
  readonly startedAt: number
  readonly openedAt?: number
  readonly mergedAt: number
  readonly linesAdded: number
  readonly linesDeleted: number
}

export const deployments = documents<Deployment>()({
  name: 'deployment',
  address: 'proj/{projectKey}:env/{environmentKey}:deployment/{deploymentID}',
  fields: ({ id, applicationKey, archived, history }) => {
    const { startedAt, status, kind } = stateOf(history)
    const { lastFinishedAt } = history
    return { id, applicationKey, archived, startedAt, status, kind, finishedAt: lastFinishedAt ?? null }
  },
  changes: {
    id: null,
    applicationKey: null,
    applicationName: null,
    applicationKind: null,
    applicationVersion: null,
    versionName: null,
    namesAt: null,
    history: null,
    startTimes: null,
    brought: null,
    metadata: 'updateDeployment',
    metadataAt: null,
    pullRequests: null,
    archived: 'updateDeployment',
    createdAt: null,
  },
})

/** The environment of deployments whose ids begin alike, as they are asked for by their ids alone. */
export interface DeploymentPlace extends Versioned {
  readonly projectKey: string
  readonly environmentKey: string
}

/**
 * Outlives a project or environment that is deleted with its deployments; so whoever follows it may find nothing, and
 * whoever writes it may find it there.
 */
export const deploymentPlaces = documents<DeploymentPlace>()({
  name: 'deployment-place',
  address: 'deployment-place/{place}',
})

/**
 * Every event as it was told, labelled by application. Its numbers are those of `deploymentColumns`; the first is 1 for
 * an end that succeeded and 0 for one that failed, so that a scan of one column counts both.
 */
export const deploymentEvents = series({
  name: 'deployment-events',
  address: 'proj/{projectKey}:env/{environmentKey}',
})
