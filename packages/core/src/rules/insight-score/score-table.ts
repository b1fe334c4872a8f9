const hour = 3_600_000
const day = 24 * hour

/** How good a score is; `notCalculated` without input, `unknown` where its source was never connected (D26). */
export type Indicator = 'excellent' | 'good' | 'fair' | 'needsAttention' | 'notCalculated' | 'unknown'

/** What an input is measured in: deployments per day, milliseconds, or a share of a whole. */
export type InputUnit = 'perDay' | 'ms' | 'share'

/**
 * The whole of D26: what is scored, by which anchors, how good a score is, and what is a mean of what.
 *
 * Scores are computed from nothing else. Whoever changes a number here changes `version` too, since scores of two
 * versions do not compare.
 */
export const insightScoreTable = {
  version: 1,
  /** From the best; `min` and `max` both belong to the tier. */
  tiers: [
    { indicator: 'excellent', min: 90, max: 100 },
    { indicator: 'good', min: 70, max: 89 },
    { indicator: 'fair', min: 40, max: 69 },
    { indicator: 'needsAttention', min: 0, max: 39 },
  ],
  /** The scores that `anchors` give the inputs of, in the same order. */
  anchorScores: [100, 90, 70, 40, 0],
  metrics: {
    deploymentFrequency: { input: 'successful deployments', unit: 'perDay', anchors: [3, 1, 1 / 7, 1 / 30, 0] },
    leadTime: {
      input: 'median time from first commit to deployment',
      unit: 'ms',
      anchors: [hour, 24 * hour, 168 * hour, 720 * hour, 4320 * hour],
    },
    deploymentFailureRate: {
      input: 'failed deployments of all that ended',
      unit: 'share',
      anchors: [0, 0.05, 0.1, 0.15, 0.45],
    },
    impactSize: {
      input: 'median share of contexts whose variation a flag change moved',
      unit: 'share',
      anchors: [0, 0.05, 0.2, 0.8, 1],
    },
    flagHealth: { input: 'stale flags of all temporary ones', unit: 'share', anchors: [0, 0.1, 0.3, 0.6, 1] },
    experimentationCoverage: {
      input: 'flag changes under an experiment of all flag changes',
      unit: 'share',
      anchors: [0.5, 0.3, 0.15, 0.05, 0],
    },
    creationRatio: { input: 'archived flags of those created', unit: 'share', anchors: [1, 0.9, 0.7, 0.4, 0] },
  },
  /** Each is the mean of those it names that are calculated. One that names another stands after it. */
  aggregates: {
    velocity: ['deploymentFrequency', 'leadTime'],
    risk: ['deploymentFailureRate', 'impactSize'],
    efficiency: ['flagHealth', 'experimentationCoverage'],
    overall: ['velocity', 'risk', 'efficiency'],
  },
  /** How long a period is, ms; the one before it has the same length. */
  periodMs: 30 * day,
  /** A temporary flag that is older than this, ms, is stale while its status is inactive or launched. */
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

/** The scores that have an input of their own. */
export type ScoreMetric = keyof typeof insightScoreTable.metrics
/** The scores that are the mean of other scores. */
export type ScoreAggregate = keyof typeof insightScoreTable.aggregates
/** The names of all scores: metrics and aggregates. */
export type ScoreName = ScoreMetric | ScoreAggregate

export const scoreMetrics = Object.keys(insightScoreTable.metrics) as readonly ScoreMetric[]
export const scoreAggregates = Object.keys(insightScoreTable.aggregates) as readonly ScoreAggregate[]

/** The scores that an aggregate is the mean of; undefined for a score of its own input. */
export function childrenOf(name: ScoreName): readonly ScoreName[] | undefined {
  return insightScoreTable.aggregates[name as ScoreAggregate]
}
