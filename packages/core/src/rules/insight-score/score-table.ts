const hour = 3_600_000
const day = 24 * hour

/**
 * Tier of a score. `notCalculated`: the score has no input. `unknown`: the source of the score was never connected
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 */
export type Indicator = 'excellent' | 'good' | 'fair' | 'needsAttention' | 'notCalculated' | 'unknown'

/** Unit of an input: deployments per day, milliseconds, or a share of a whole. */
export type InputUnit = 'perDay' | 'ms' | 'share'

/**
 * The table of decision D26 (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores): metrics with their
 * anchors, tiers, and the aggregates with their children. Charts take the limits of their tiers from it as well.
 *
 * Scores are computed only from this table. A change of a number must also increase `version`, because scores of
 * different versions are not comparable.
 */
export const insightScoreTable = {
  version: 2,
  /** From the best to the worst; `min` and `max` are inclusive. */
  tiers: [
    { indicator: 'excellent', min: 90, max: 100 },
    { indicator: 'good', min: 70, max: 89 },
    { indicator: 'fair', min: 40, max: 69 },
    { indicator: 'needsAttention', min: 0, max: 39 },
  ],
  /** Scores at the inputs in `anchors`, in the same order. */
  anchorScores: [100, 90, 70, 40, 0],
  metrics: {
    deploymentFrequency: { input: 'successful deployments', unit: 'perDay', anchors: [3, 1, 1 / 7, 1 / 30, 0] },
    leadTime: {
      input: 'median time from first commit to deployment',
      unit: 'ms',
      anchors: [hour, 24 * hour, 168 * hour, 720 * hour, 4320 * hour],
    },
    deploymentFailureRate: {
      input: 'share of ended deployments that failed',
      unit: 'share',
      anchors: [0, 0.05, 0.1, 0.15, 0.45],
    },
    impactSize: {
      input: 'median share of contexts whose variation a flag change altered',
      unit: 'share',
      anchors: [0, 0.05, 0.2, 0.8, 1],
    },
    flagHealth: { input: 'share of temporary flags that are stale', unit: 'share', anchors: [0, 0.1, 0.3, 0.6, 1] },
    experimentationCoverage: {
      input: 'share of flag changes in an experiment',
      unit: 'share',
      anchors: [0.5, 0.3, 0.15, 0.05, 0],
    },
    creationRatio: {
      input: 'archived flags as a share of created flags',
      unit: 'share',
      anchors: [1, 0.9, 0.7, 0.4, 0],
    },
  },
  /**
   * Each aggregate is the mean of its calculated children. It is not calculated itself when less than half of its
   * weight is known. Children have equal weights. An aggregate must come after its children.
   */
  aggregates: {
    velocity: ['deploymentFrequency', 'leadTime'],
    risk: ['deploymentFailureRate', 'impactSize'],
    efficiency: ['flagHealth', 'experimentationCoverage'],
    overall: ['velocity', 'risk', 'efficiency'],
  },
  /** Length of a period, ms; the previous period has the same length. */
  periodMs: 30 * day,
  /** Age in ms from which a temporary flag is stale while its status is inactive or launched. */
  staleAfterMs: 30 * day,
} as const satisfies {
  readonly version: number
  readonly tiers: readonly { readonly indicator: Indicator; readonly min: number; readonly max: number }[]
  readonly anchorScores: readonly number[]
  readonly metrics: Readonly<Record<string, Metric>>
  readonly aggregates: Readonly<Record<string, readonly string[]>>
  readonly periodMs: number
  readonly staleAfterMs: number
}

interface Metric {
  readonly input: string
  readonly unit: InputUnit
  readonly anchors: readonly number[]
}

/** Names of the scores that have their own input. */
export type ScoreMetric = keyof typeof insightScoreTable.metrics
/** The scores that are the mean of other scores. */
export type ScoreAggregate = keyof typeof insightScoreTable.aggregates
/** Names of all scores: metrics and aggregates. */
export type ScoreName = ScoreMetric | ScoreAggregate

export const scoreMetrics = Object.keys(insightScoreTable.metrics) as readonly ScoreMetric[]
export const scoreAggregates = Object.keys(insightScoreTable.aggregates) as readonly ScoreAggregate[]

/** Returns the children of an aggregate; undefined for a metric. */
export function childrenOf(name: ScoreName): readonly ScoreName[] | undefined {
  return insightScoreTable.aggregates[name as ScoreAggregate]
}

/**
 * Returns the metrics from which a score is computed: for a metric the metric itself, for an aggregate the metrics of
 * all its children.
 */
export function metricsOf(name: ScoreName): readonly ScoreMetric[] {
  return childrenOf(name)?.flatMap(metricsOf) ?? [name as ScoreMetric]
}
