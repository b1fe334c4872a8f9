import { rateScores, type ScoreInputs } from './insight-scores.ts'
import { isCalculated } from './rating.ts'
import { inputFor, scoreOf } from './score-of.ts'
import type { InputExplanation, ScoreReasons, ScoreStep } from './score-reasons.ts'
import { sentencesOf } from './score-sentences.ts'
import { insightScoreTable, metricsOf, type ScoreMetric, type ScoreName } from './score-table.ts'

/** Inputs and tier of a score, and the change that would raise it. */
export interface ScoreExplanation extends ScoreReasons {
  /** The explanation in plain sentences. */
  readonly text: string
}

/**
 * Explains a score: its inputs, its tier, and the cheapest step to the next tier
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 *
 * The cheapest step of an aggregate is the step of the metric whose score has to grow by the fewest points. If several
 * metrics need equally few points, the first one in the table counts.
 *
 * @param name name of the score, e.g. `velocity`.
 * @param inputs inputs of all metrics.
 */
export function explainScore(name: ScoreName, inputs: ScoreInputs): ScoreExplanation {
  const scores = rateScores(inputs)
  const score = scores[name]
  const metrics = metricsOf(name)
  const inputExplanations = metrics.map((metric): InputExplanation => {
    const value = inputs[metric]
    const { unit } = insightScoreTable.metrics[metric]
    return { metric, unit, ...(typeof value === 'number' ? { value } : {}), ...scores[metric] }
  })
  const nextTier = isCalculated(score) ? insightScoreTable.tiers.findLast(({ min }) => min > score.score) : undefined
  const step = nextTier && cheapestStep(name, metrics, { inputs, targetScore: nextTier.min })
  const next = nextTier && { indicator: nextTier.indicator, score: nextTier.min, ...(step ? { step } : {}) }
  const explanation = { name, ...score, inputs: inputExplanations, ...(next ? { next } : {}) }
  return { ...explanation, text: sentencesOf(explanation) }
}

/** The inputs of a score, and the score to reach. */
interface ScoreTarget {
  readonly inputs: ScoreInputs
  readonly targetScore: number
}

function cheapestStep(name: ScoreName, metrics: readonly ScoreMetric[], target: ScoreTarget): ScoreStep | undefined {
  const steps = metrics.flatMap((metric) => stepOf(name, metric, target) ?? [])
  return steps.toSorted((a, b) => a.points - b.points)[0]
}

/** Finds the step by trying one point after the other, because means are rounded at every level. */
function stepOf(name: ScoreName, metric: ScoreMetric, { inputs, targetScore }: ScoreTarget): ScoreStep | undefined {
  const from = inputs[metric]
  if (typeof from !== 'number') return undefined
  const score = scoreOf(metric, from)
  for (let points = 1; score + points <= 100; points++) {
    const to = inputFor(metric, score + points)
    if (rateScores({ ...inputs, [metric]: to })[name].score < targetScore) continue
    return { metric, unit: insightScoreTable.metrics[metric].unit, from, to, points }
  }
}
