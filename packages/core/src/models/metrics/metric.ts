import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { type MaintainerReference, maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'

/** The kinds of events that metrics measure. */
export const metricKinds = ['pageview', 'click', 'custom'] as const

/** Values of a metric that count as better: higher or lower ones. */
export const successCriteria = ['HigherThanBaseline', 'LowerThanBaseline'] as const

/** The ways in which the values of a unit's events are combined into one value. */
export const unitAggregationTypes = ['average', 'sum'] as const

/** The number that is compared: the mean or a percentile of the values of units. */
export const analysisTypes = ['mean', 'percentile'] as const

/** A page address that click and page view metrics measure. */
export interface UrlMatcher {
  readonly kind: 'exact' | 'canonical' | 'substring' | 'regex'
  readonly url?: string
  readonly substring?: string
  readonly pattern?: string
}

/** A number that experiments and guarded releases compare between variations, made of events. */
export interface Metric extends Versioned, MaintainerReference {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly kind: (typeof metricKinds)[number]
  /** Key of the events of a custom metric. */
  readonly eventKey?: string
  /** Selectors of the elements whose clicks count, for a click metric. */
  readonly selector?: string
  /** Pages on which clicks or views count, for click and page view metrics. */
  readonly urls?: readonly UrlMatcher[]
  /** True if the values of events count; false if the events themselves do. */
  readonly isNumeric: boolean
  /** Unit of the values, e.g. `ms`. */
  readonly unit?: string
  readonly successCriteria: (typeof successCriteria)[number]
  /** Context kinds by which experiments with the metric may randomize. */
  readonly randomizationUnits: readonly string[]
  /** For metrics that are not numeric, `average` measures whether there was an event, and `sum` how many. */
  readonly unitAggregationType: (typeof unitAggregationTypes)[number]
  readonly analysisType: (typeof analysisTypes)[number]
  /** Between 0 and 100; only with `analysisType` `percentile`. */
  readonly percentileValue?: number
  /**
   * Value of a unit that has no events. It is 0; if `disabled` is true, such a unit has no value and does not count.
   */
  readonly eventDefault: { readonly disabled: boolean; readonly value?: 0 }
  /** Bounds of the value of a unit; a value outside counts as the bound. */
  readonly winsorization?: { readonly lower?: number; readonly upper?: number }
  /** Events by whose sum or number the sum of the metric is divided. */
  readonly denominator?: { readonly eventKey: string; readonly isNumeric: boolean }
  /** Integer ms, UTC. */
  readonly createdAt: number
  readonly updatedAt: number
}

export const metrics = documents<Metric>()({
  name: 'metric',
  address: 'proj/{projectKey}:metric/{metricKey}',
  fields: ({ name, tags, kind, isNumeric, unitAggregationType, maintainerId, maintainerTeamKey, createdAt }) => ({
    name,
    tags,
    kind,
    isNumeric,
    unitAggregationType,
    maintainerId: maintainerId ?? null,
    maintainerTeamKey: maintainerTeamKey ?? null,
    createdAt,
  }),
  attributes: ({ tags }) => ({ tags }),
  shown: {
    id: '_id',
    ...shownMaintainer,
    createdAt: shownTime('_creationDate'),
    updatedAt: (ms, format) => ({ lastModified: { date: format.time(ms) } }),
  },
  sentences: { changed: maintainerSentences },
  changes: {
    id: null,
    key: null,
    name: 'updateName',
    description: 'updateDescription',
    tags: 'updateTags',
    maintainerId: 'updateMaintainer',
    maintainerTeamKey: 'updateMaintainer',
    kind: null,
    eventKey: 'updateMetric',
    selector: 'updateMetric',
    urls: 'updateMetric',
    isNumeric: 'updateMetric',
    unit: 'updateMetric',
    successCriteria: 'updateMetric',
    randomizationUnits: 'updateMetric',
    unitAggregationType: 'updateMetric',
    analysisType: 'updateMetric',
    percentileValue: 'updateMetric',
    eventDefault: 'updateMetric',
    winsorization: 'updateMetric',
    denominator: 'updateMetric',
    createdAt: null,
    updatedAt: null,
  },
})

export interface MetricKeys {
  readonly projectKey: string
  readonly metricKey: string
}
