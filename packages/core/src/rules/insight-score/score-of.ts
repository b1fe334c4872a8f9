import { insightScoreTable, type ScoreMetric } from './score-table.ts'

interface Anchor {
  readonly score: number
  readonly input: number
}

/** Returns the score of an input: piecewise linear between the anchors, clamped and rounded half up (D26). */
export function scoreOf(metric: ScoreMetric, input: number): number {
  if (Number.isNaN(input)) throw new RangeError(`${metric}: the input must be a number`)
  const anchors = anchorsOf(metric)
  const sign = Math.sign(anchors[0]!.input - anchors.at(-1)!.input)
  const worse = anchors.findIndex((anchor) => (input - anchor.input) * sign >= 0)
  if (worse < 0) return anchors.at(-1)!.score
  const [at, better] = [anchors[worse]!, anchors[worse - 1]]
  if (!better) return at.score
  // The product is computed before the quotient: with whole milliseconds it is exact.
  return roundHalfUp(at.score + ((input - at.input) * (better.score - at.score)) / (better.input - at.input))
}

/**
 * Returns the worst input that has a score: the inverse of {@link scoreOf}.
 *
 * @param score whole number from 1 to 100; because of rounding half up, half a point less is enough.
 */
export function inputFor(metric: ScoreMetric, score: number): number {
  const anchors = anchorsOf(metric)
  const wanted = score - 0.5
  const worse = anchors.findIndex((anchor) => anchor.score <= wanted)
  const [at, better] = [anchors[worse]!, anchors[worse - 1]!]
  return at.input + ((wanted - at.score) * (better.input - at.input)) / (better.score - at.score)
}

/**
 * Rounds half up; a value that is less than a half by under a billionth, because of rounding errors, counts as a half.
 */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}

function anchorsOf(metric: ScoreMetric): readonly Anchor[] {
  const { anchors } = insightScoreTable.metrics[metric]
  return insightScoreTable.anchorScores.map((score, at) => ({ score, input: anchors[at]! }))
}
