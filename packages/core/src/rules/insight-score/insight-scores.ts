import { isCalculated, type MissingScore, type Rating, rate } from './rating.ts'
import { roundHalfUp, scoreOf } from './score-of.ts'
import { childrenOf, type ScoreMetric, type ScoreName, scoreAggregates, scoreMetrics } from './score-table.ts'

/** Input of each metric in one period, or the reason why there is none. */
export type ScoreInputs = { readonly [metric in ScoreMetric]: number | MissingScore }

export type RatingsByName = { readonly [name in ScoreName]: Rating }

/** A score with that of the previous period. */
export interface InsightScore extends Rating {
  /** Only of an aggregate: the scores of which it is the mean, as far as they are calculated. */
  readonly aggregateOf?: readonly ScoreName[]
  /** Score minus that of the previous period; absent unless both are calculated. */
  readonly diffVsLastPeriod?: number
  readonly lastPeriod: Rating
}

/** All scores of a period by name. */
export type InsightScores = { readonly [name in ScoreName]: InsightScore }

/** Rates all scores of one period (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores). */
export function rateScores(inputs: ScoreInputs): RatingsByName {
  const scores: Partial<Record<ScoreName, Rating>> = {}
  for (const metric of scoreMetrics) {
    const input = inputs[metric]
    scores[metric] = rate(typeof input === 'number' ? scoreOf(metric, input) : input)
  }
  for (const name of scoreAggregates) scores[name] = aggregate(childrenOf(name)!.map((child) => scores[child]!))
  return scores as RatingsByName
}

/**
 * Returns the scores of a period together with those of the previous one
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 *
 * @param currentInputs inputs of the period.
 * @param previousInputs inputs of the previous period.
 */
export function insightScores(currentInputs: ScoreInputs, previousInputs: ScoreInputs): InsightScores {
  const [currentRatings, previousRatings] = [rateScores(currentInputs), rateScores(previousInputs)]
  const entries = ([...scoreMetrics, ...scoreAggregates] as const).map((name) => {
    const aggregateOf = childrenOf(name)
    const score = {
      ...currentRatings[name],
      ...(aggregateOf ? { aggregateOf } : {}),
      lastPeriod: previousRatings[name],
    }
    return [name, { ...score, ...difference(currentRatings[name], previousRatings[name]) }] as const
  })
  return Object.fromEntries(entries) as InsightScores
}

function difference(currentRating: Rating, previousRating: Rating): { diffVsLastPeriod?: number } {
  return isCalculated(currentRating) && isCalculated(previousRating)
    ? { diffVsLastPeriod: currentRating.score - previousRating.score }
    : {}
}

/**
 * Returns the mean of the calculated scores. If there is none: `unknown` if all are unknown, otherwise `notCalculated`.
 */
function aggregate(children: readonly Rating[]): Rating {
  const scores = children.filter(isCalculated).map(({ score }) => score)
  if (scores.length === 0) {
    return rate(children.every(({ indicator }) => indicator === 'unknown') ? 'unknown' : 'notCalculated')
  }
  return rate(roundHalfUp(scores.reduce((sum, score) => sum + score, 0) / scores.length))
}
