import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { type MaintainerReference, maintainerSentences } from '../maintainers/maintainer.ts'

/** The kinds of groups: the steps of a funnel in order, or metrics that belong together. */
export const metricGroupKinds = ['funnel', 'standard'] as const

/** A metric in a group. */
export interface GroupedMetric {
  readonly key: string
  /** Name of the metric in the group. Every step of a funnel has one. */
  readonly nameInGroup?: string
}

/** Metrics that experiments and guarded releases use together. */
export interface MetricGroup extends Versioned, MaintainerReference {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly kind: (typeof metricGroupKinds)[number]
  readonly tags: readonly string[]
  readonly metrics: readonly GroupedMetric[]
  /** Integer ms, UTC. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Maximum number of metrics of a group. */
export const maxGroupedMetrics = 50

export const metricGroups = documents<MetricGroup>()({
  name: 'metric-group',
  address: 'proj/{projectKey}:metric-group/{metricGroupKey}',
  fields: ({ name, kind, tags, metrics, maintainerId, maintainerTeamKey, createdAt }) => ({
    name,
    kind,
    tags,
    metricKeys: metrics.map(({ key }) => key),
    maintainerId: maintainerId ?? null,
    maintainerTeamKey: maintainerTeamKey ?? null,
    createdAt,
  }),
  attributes: ({ tags }) => ({ tags }),
  shown: {
    id: '_id',
    maintainerId: (id) => ({ maintainer: { member: { _id: id } } }),
    maintainerTeamKey: (key) => ({ maintainer: { team: { key } } }),
    createdAt: shownTime('_creationDate'),
    updatedAt: shownTime('_lastModified'),
  },
  sentences: { changed: maintainerSentences },
  changes: {
    id: null,
    key: null,
    name: 'updateMetricGroup',
    description: 'updateMetricGroup',
    kind: null,
    tags: 'updateMetricGroup',
    metrics: 'updateMetricGroup',
    maintainerId: 'updateMetricGroup',
    maintainerTeamKey: 'updateMetricGroup',
    createdAt: null,
    updatedAt: null,
  },
})

export interface MetricGroupKeys {
  readonly projectKey: string
  readonly metricGroupKey: string
}
