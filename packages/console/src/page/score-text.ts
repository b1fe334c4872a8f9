import { insightScoreTable } from '@halyard/core/insights'

/** A score in a response of the API. */
export interface Score {
  readonly score: number
  readonly indicator: string
  readonly indicatorRange: { readonly min: number; readonly max: number }
  readonly aggregateOf?: readonly string[]
  readonly diffVsLastPeriod?: number
}

export type Scores = Readonly<Record<string, Score>>

/** Names of the scores. Each score is computed from scores that come later in the list. */
export const scoreNames = {
  overall: 'Overall',
  velocity: 'Velocity',
  deploymentFrequency: 'Deployment frequency',
  leadTime: 'Lead time',
  risk: 'Risk',
  deploymentFailureRate: 'Deployment failure rate',
  impactSize: 'Impact size',
  efficiency: 'Efficiency',
  flagHealth: 'Flag health',
  experimentationCoverage: 'Experimentation coverage',
  creationRatio: 'Creation ratio',
} as const

export const indicatorNames: Readonly<Record<string, string>> = {
  excellent: 'excellent',
  good: 'good',
  fair: 'fair',
  needsAttention: 'needs attention',
  notCalculated: 'not calculated',
  unknown: 'unknown',
}

const lowerCaseName = (name: string) => (scoreNames[name as keyof typeof scoreNames] ?? name).toLowerCase()

/** Returns whether a score has a value. */
export function isScored({ indicator }: Score): boolean {
  return indicator !== 'notCalculated' && indicator !== 'unknown'
}

/** Describes how a score is computed, and what the next tier requires. */
export function explain(name: string, scores: Scores): string {
  const score = scores[name]!
  const composition = score.aggregateOf ? meanText(score.aggregateOf, scores) : inputText(name)
  if (score.indicator === 'unknown') return `${composition} No data has been received for it yet.`
  if (score.indicator === 'notCalculated') return `${composition} There was nothing to measure in the last 30 days.`
  return [composition, nextTierText(name, score)].filter((sentence) => sentence !== '').join(' ')
}

function meanText(children: readonly string[], scores: Scores): string {
  const names = new Intl.ListFormat('en')
  const [scoredNames, unscored] = [true, false].map((scored) =>
    children.filter((child) => (scores[child] !== undefined && isScored(scores[child])) === scored),
  ) as [string[], string[]]
  if (scoredNames.length === 0) return `The mean of ${names.format(children.map(lowerCaseName))}.`
  const mean = `The mean of ${names.format(scoredNames.map((child) => `${lowerCaseName(child)} ${scores[child]!.score}`))}`
  return unscored.length === 0
    ? `${mean}.`
    : `${mean}; ${names.format(unscored.map(lowerCaseName))} cannot be scored yet.`
}

function inputText(name: string): string {
  const metric = insightScoreTable.metrics[name as keyof typeof insightScoreTable.metrics]
  return metric ? `Measures ${metric.input}.` : ''
}

/**
 * Returns a sentence about the next better tier: its score, and the input that reaches it. The tier starts at an anchor
 * of the table, so this input is known.
 */
function nextTierText(name: string, { indicatorRange }: Score): string {
  const tier = insightScoreTable.tiers.find(({ min }) => min === indicatorRange.max + 1)
  if (!tier) return ''
  const label = indicatorNames[tier.indicator]
  const metric = insightScoreTable.metrics[name as keyof typeof insightScoreTable.metrics]
  const anchor = metric?.anchors[insightScoreTable.anchorScores.indexOf(tier.min)]
  if (!metric || anchor === undefined) return `It is ${label} from a score of ${tier.min}.`
  const bound = metric.anchors[0] > anchor ? 'at least' : 'at most'
  return `It is ${label} from a score of ${tier.min}: ${bound} ${formatValue(anchor, metric.unit)}.`
}

function formatValue(value: number, unit: 'perDay' | 'ms' | 'share'): string {
  const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
  if (unit === 'share') return new Intl.NumberFormat(undefined, { style: 'percent' }).format(value)
  if (unit === 'ms')
    return value > 72 * 3_600_000
      ? `${number.format(value / 86_400_000)} days`
      : `${number.format(value / 3_600_000)} hours`
  return value >= 1 ? `${number.format(value)} per day` : `one in ${number.format(1 / value)} days`
}
