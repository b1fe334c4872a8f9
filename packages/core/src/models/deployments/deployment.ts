import { documents, series, type Versioned } from '../../storage/collection.ts'
import { type DeploymentHistory, stateOf } from './deployment-history.ts'

export const applicationKinds = ['server', 'browser', 'mobile'] as const

export type NameProperty = 'applicationName' | 'applicationKind' | 'versionName'

/** The deployment of one version of an application to one environment. */
export interface Deployment extends Versioned {
  readonly id: string
  readonly applicationKey: string
  readonly applicationName?: string
  readonly applicationKind: (typeof applicationKinds)[number]
  readonly applicationVersion: string
  readonly versionName?: string
  /** Times of the events from which the names come; integer ms. */
  readonly namesAt?: Readonly<Partial<Record<NameProperty, number>>>
  readonly history: DeploymentHistory
  /**
   * Start times, each once and in order; integer ms. When there are very many, only the latest are kept. Omitted while
   * no start was reported.
   */
  readonly startTimes?: readonly number[]
  /**
   * The changes that the deployment delivered to the environment, by id. When there are very many, only the latest are
   * kept. Omitted while there are none.
   */
  readonly brought?: readonly BroughtChange[]
  /** Metadata of the latest event that has metadata. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Time of the event that `metadata` comes from; -1 when there is no metadata. */
  readonly metadataAt: number
  /** The pull requests that the deployment delivered to the environment, each once, by `externalId`. */
  readonly pullRequests: readonly PullRequest[]
  readonly archived: boolean
  /** False when callers marked the version as one that is no longer supported. Default: true. */
  readonly supported?: boolean
  readonly createdAt: number
}

/** A change that a deployment delivered, and the time of the first success that named the change. */
export interface BroughtChange {
  readonly kind: 'pullRequest' | 'commit'
  readonly id: string
  /** Integer ms, UTC. */
  readonly at: number
}

/** A pull request that a deployment delivered. Times are integers in ms, UTC. */
export interface PullRequest {
  readonly externalId: string
  readonly title?: string
  readonly url?: string
  readonly author?: string
  /** Time of the first commit. */
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
  shown: {
    namesAt: null,
    history: null,
    startTimes: null,
    brought: null,
    metadataAt: null,
    pullRequests: null,
    createdAt: null,
  },
  sentences: {
    name: ({ applicationKey, applicationVersion, versionName }) =>
      `the deployment of ${applicationKey} ${versionName ?? applicationVersion}`,
    created: (_, { it }) => `recorded ${it}`,
    deleted: (_, { it }) => `deleted ${it}`,
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
    supported: 'updateDeployment',
    createdAt: null,
  },
})

/**
 * Index entry with the environment of all deployments whose ids have the same first half, because requests name a
 * deployment only by its id.
 */
export interface DeploymentIndexEntry extends Versioned {
  readonly projectKey: string
  readonly environmentKey: string
}

/**
 * An entry of an earlier version, which has no fields, remains when a project or environment is deleted with its
 * deployments. A reader may therefore find no deployment, and a writer may find this document.
 */
export const deploymentIndex = documents<DeploymentIndexEntry>()({
  name: 'deployment-place',
  address: 'deployment-place/{place}',
  fields: ({ projectKey, environmentKey }) => ({ projectKey, environmentKey }),
})

/**
 * All events as they were reported, labeled by application. Their values are listed in `deploymentColumns`. The first
 * value is 1 for a deployment that ended with success and 0 for one that failed, so that a scan of one column counts
 * both.
 */
export const deploymentEvents = series({
  name: 'deployment-events',
  address: 'proj/{projectKey}:env/{environmentKey}',
})
