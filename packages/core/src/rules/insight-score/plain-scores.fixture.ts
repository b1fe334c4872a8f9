/**
 * A second implementation of decision D26 (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores) for
 * comparison in tests. It shares no code with the rules, and computes with integers of any size. An input is a
 * fraction, so rounding is exact.
 */
export type Fraction = readonly [numerator: number, denominator: number]
export type PlainInput = Fraction | 'notCalculated' | 'unknown'

/** Inputs at the scores 100, 90, 70, 40 and 0. Lead times are in hours. */
const table = {
  deploymentFrequency: [
    [3, 1],
    [1, 1],
    [1, 7],
    [1, 30],
    [0, 1],
  ],
  leadTime: [
    [1, 1],
    [24, 1],
    [168, 1],
    [720, 1],
    [4320, 1],
  ],
  deploymentFailureRate: [
    [0, 100],
    [5, 100],
    [10, 100],
    [15, 100],
    [45, 100],
  ],
  impactSize: [
    [0, 100],
    [5, 100],
    [20, 100],
    [80, 100],
    [100, 100],
  ],
  flagHealth: [
    [0, 100],
    [10, 100],
    [30, 100],
    [60, 100],
    [100, 100],
  ],
  experimentationCoverage: [
    [50, 100],
    [30, 100],
    [15, 100],
    [5, 100],
    [0, 100],
  ],
  creationRatio: [
    [100, 100],
    [90, 100],
    [70, 100],
    [40, 100],
    [0, 100],
  ],
} as const satisfies Readonly<Record<string, readonly Fraction[]>>

const marks = [100n, 90n, 70n, 40n, 0n]

export type PlainMetric = keyof typeof table

export const plainMetrics = Object.keys(table) as readonly PlainMetric[]

/** Inputs of a metric at the scores 100, 90, 70, 40 and 0. */
export const plainAnchors = (metric: PlainMetric): readonly Fraction[] => table[metric]

/** Returns the score of an input: linear between the two nearest anchors, rounded half up. */
export function plainScore(metric: PlainMetric, [numerator, denominator]: Fraction): number {
  const [n, d] = [BigInt(numerator), BigInt(denominator)]
  const points = table[metric].map(([top, bottom]) => [BigInt(top), BigInt(bottom)] as const)
  const lowerIsBetter = points[0]![0] * points[4]![1] < points[4]![0] * points[0]![1]
  /** Returns a number below, at or above zero if the input is better than, equal to or worse than an anchor. */
  const worseThan = ([top, bottom]: readonly [bigint, bigint]) => (n * bottom - top * d) * (lowerIsBetter ? 1n : -1n)
  if (worseThan(points[0]!) <= 0n) return 100
  for (let i = 1; i < points.length; i++) {
    if (worseThan(points[i]!) > 0n) continue
    const [[betterTop, betterBottom], [worseTop, worseBottom]] = [points[i - 1]!, points[i]!]
    // Computes mark + rise * (n/d - worse) / (better - worse) + 1/2 with one common denominator.
    const top = (n * worseBottom - worseTop * d) * betterBottom
    const bottom = (betterTop * worseBottom - worseTop * betterBottom) * d
    const numeratorOverTwice = 2n * (marks[i]! * bottom + (marks[i - 1]! - marks[i]!) * top) + bottom
    return Number(numeratorOverTwice / (2n * bottom))
  }
  return 0
}

export type PlainScore = number | 'notCalculated' | 'unknown'

/** Returns all scores of one period. */
export function plainScores(inputs: Readonly<Record<PlainMetric, PlainInput>>) {
  const of = (metric: PlainMetric): PlainScore => {
    const input = inputs[metric]
    return typeof input === 'string' ? input : plainScore(metric, input)
  }
  const velocity = meanOf(of('deploymentFrequency'), of('leadTime'))
  const risk = meanOf(of('deploymentFailureRate'), of('impactSize'))
  const efficiency = meanOf(of('flagHealth'), of('experimentationCoverage'))
  const metrics = Object.fromEntries(plainMetrics.map((metric) => [metric, of(metric)])) as Record<
    PlainMetric,
    PlainScore
  >
  return { ...metrics, velocity, risk, efficiency, overall: overallOf(velocity, risk, efficiency, metrics) }
}

/**
 * Returns the overall score: the mean of velocity, risk and efficiency, if at least three of the six metrics have
 * scores.
 */
function overallOf(
  velocity: PlainScore,
  risk: PlainScore,
  efficiency: PlainScore,
  { creationRatio, ...metrics }: Readonly<Record<PlainMetric, PlainScore>>,
): PlainScore {
  const parts = Object.values(metrics)
  if (parts.filter((score) => typeof score === 'number').length >= 3) return meanOf(velocity, risk, efficiency)
  return parts.every((score) => score === 'notCalculated') ? 'notCalculated' : 'unknown'
}

function meanOf(...scores: readonly PlainScore[]): PlainScore {
  let [sum, count] = [0, 0]
  for (const score of scores) {
    if (typeof score !== 'number') continue
    sum += score
    count++
  }
  if (count > 0) return (2 * sum + count - ((2 * sum + count) % (2 * count))) / (2 * count)
  return scores.includes('unknown') ? 'unknown' : 'notCalculated'
}

/** Returns a score as responses contain it. */
export function plainRating(score: PlainScore) {
  if (typeof score === 'string') return { score: 0, indicator: score, indicatorRange: { min: 0, max: 100 } }
  if (score > 89) return { score, indicator: 'excellent', indicatorRange: { min: 90, max: 100 } }
  if (score > 69) return { score, indicator: 'good', indicatorRange: { min: 70, max: 89 } }
  if (score > 39) return { score, indicator: 'fair', indicatorRange: { min: 40, max: 69 } }
  return { score, indicator: 'needsAttention', indicatorRange: { min: 0, max: 39 } }
}

/** Returns a score and the score of the previous period in the form of responses, without `aggregateOf`. */
export function plainComparison(score: PlainScore, previous: PlainScore) {
  const areCalculated = typeof score === 'number' && typeof previous === 'number'
  return {
    ...plainRating(score),
    ...(areCalculated ? { diffVsLastPeriod: score - previous } : {}),
    lastPeriod: plainRating(previous),
  }
}
