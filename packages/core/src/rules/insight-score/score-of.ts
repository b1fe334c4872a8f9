import { insightScoreTable, type ScoreMetric } from './score-table.ts'

interface Anchor {
  readonly score: number
  readonly input: number
}

/** The score of an input, piecewise linear between the anchors, clamped and rounded half up (D26). */
export function scoreOf(metric: ScoreMetric, input: number): number {
  if (Number.isNaN(input)) throw new RangeError(`${metric}: an input must be a number`)
  const anchors = anchorsOf(metric)
  const sign = Math.sign(anchors[0]!.input - anchors.at(-1)!.input)
  const worse = anchors.findIndex((anchor) => (input - anchor.input) * sign >= 0)
  if (worse < 0) return anchors.at(-1)!.score
  const [at, better] = [anchors[worse]!, anchors[worse - 1]]
  if (!better) return at.score
  // The product before the quotient: of whole milliseconds it is exact.
  return roundHalfUp(at.score + ((input - at.input) * (better.score - at.score)) / (better.input - at.input))
}

/**
 * The worst input that still has a score, the other way round: what is at least needed for it.
 *
 * @param score whole, 1 to 100; rounding half up lets half a point less be enough.
 */
export function inputFor(metric: ScoreMetric, score: number): number {
  const anchors = anchorsOf(metric)
  const wanted = score - 0.5
  const worse = anchors.findIndex((anchor) => anchor.score <= wanted)
  const [at, better] = [anchors[worse]!, anchors[worse - 1]!]
  return at.input + ((wanted - at.score) * (better.input - at.input)) / (better.score - at.score)
}

/** A half that a sum of fractions misses by less than a billionth counts as a half. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}

function anchorsOf(metric: ScoreMetric): readonly Anchor[] {
  const { anchors } = insightScoreTable.metrics[metric]
  return insightScoreTable.anchorScores.map((score, at) => ({ score, input: anchors[at]! }))
}
