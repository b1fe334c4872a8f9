import { insightScoreTable, type ScoreMetric } from './score-table.ts'

interface Anchor {
  readonly score: number
  readonly input: number
}

/**
 * Returns the score of an input: piecewise linear between the anchors, clamped and rounded half up
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 */
export function scoreOf(metric: ScoreMetric, input: number): number {
  if (Number.isNaN(input)) throw new RangeError(`${metric}: the input must be a number`)
  const anchors = anchorsOf(metric)
  const sign = Math.sign(anchors[0]!.input - anchors.at(-1)!.input)
  const worse = anchors.findIndex((anchor) => (input - anchor.input) * sign >= 0)
  if (worse < 0) return anchors.at(-1)!.score
  const [anchor, better] = [anchors[worse]!, anchors[worse - 1]]
  if (!better) return anchor.score
  // The product is computed before the quotient: with whole milliseconds it is exact.
  return roundHalfUp(
    anchor.score + ((input - anchor.input) * (better.score - anchor.score)) / (better.input - anchor.input),
  )
}

/**
 * Returns the worst input that has a score: the inverse of {@link scoreOf}.
 *
 * @param score whole number from 1 to 100; because of rounding half up, half a point less is enough.
 */
export function inputFor(metric: ScoreMetric, score: number): number {
  const anchors = anchorsOf(metric)
  const threshold = score - 0.5
  const worse = anchors.findIndex((anchor) => anchor.score <= threshold)
  const [anchor, better] = [anchors[worse]!, anchors[worse - 1]!]
  return anchor.input + ((threshold - anchor.score) * (better.input - anchor.input)) / (better.score - anchor.score)
}

/**
 * Rounds half up; a value that is less than a half by under a billionth, because of rounding errors, counts as a half.
 */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}

function anchorsOf(metric: ScoreMetric): readonly Anchor[] {
  const { anchors } = insightScoreTable.metrics[metric]
  return insightScoreTable.anchorScores.map((score, index) => ({ score, input: anchors[index]! }))
}
