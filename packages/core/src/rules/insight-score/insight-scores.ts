import { isCalculated, type MissingScore, type Rating, rate } from './rating.ts'
import { roundHalfUp, scoreOf } from './score-of.ts'
import {
  childrenOf,
  metricsOf,
  type ScoreAggregate,
  type ScoreMetric,
  type ScoreName,
  scoreAggregates,
  scoreMetrics,
} from './score-table.ts'

/** Input of each metric in one period, or the reason why there is none. */
export type ScoreInputs = { readonly [metric in ScoreMetric]: number | MissingScore }

export type RatingsByName = { readonly [name in ScoreName]: Rating }

/** A score with that of the previous period. */
export interface InsightScore extends Rating {
  /** Only for an aggregate: the calculated scores of which it is the mean. */
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
  for (const name of scoreAggregates) {
    const children = childrenOf(name)!.map((child) => scores[child]!)
    scores[name] = rate(missingAggregate(name, inputs) ?? meanOf(children.filter(isCalculated)))
  }
  return scores as RatingsByName
}

/**
 * Returns the reason why an aggregate has no score; undefined when at least half of its weight is known. It is
 * `notCalculated` when every source is connected and none has input.
 */
function missingAggregate(name: ScoreAggregate, inputs: ScoreInputs): MissingScore | undefined {
  if (knownWeight(name, inputs) >= 1 / 2) return undefined
  return metricsOf(name).every((metric) => inputs[metric] === 'notCalculated') ? 'notCalculated' : 'unknown'
}

/** Returns the part of the weight of a score whose metrics have input, 0 to 1. The children have equal weights. */
function knownWeight(name: ScoreName, inputs: ScoreInputs): number {
  const children = childrenOf(name)
  if (!children) return typeof inputs[name as ScoreMetric] === 'number' ? 1 : 0
  return children.reduce((sum, child) => sum + knownWeight(child, inputs), 0) / children.length
}

function meanOf(ratings: readonly Rating[]): number {
  return roundHalfUp(ratings.reduce((sum, { score }) => sum + score, 0) / ratings.length)
}

/**
 * Returns the scores of a period together with those of the previous period
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
