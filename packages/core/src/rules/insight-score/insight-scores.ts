import { isCalculated, type Missing, type Rated, rated } from './rated.ts'
import { roundHalfUp, scoreOf } from './score-of.ts'
import { childrenOf, type ScoreMetric, type ScoreName, scoreAggregates, scoreMetrics } from './score-table.ts'

/** Input of each metric in one period, or the reason why there is none. */
export type ScoreInputs = { readonly [metric in ScoreMetric]: number | Missing }

export type RatedScores = { readonly [name in ScoreName]: Rated }

/** A score with that of the previous period. */
export interface InsightScore extends Rated {
  /** Only of an aggregate: the scores of which it is the mean, as far as they are calculated. */
  readonly aggregateOf?: readonly ScoreName[]
  /** Score minus that of the previous period; absent unless both are calculated. */
  readonly diffVsLastPeriod?: number
  readonly lastPeriod: Rated
}

/** All scores of a period by name. */
export type InsightScores = { readonly [name in ScoreName]: InsightScore }

/** Rates all scores of one period (D26). */
export function ratedScores(inputs: ScoreInputs): RatedScores {
  const scores: Partial<Record<ScoreName, Rated>> = {}
  for (const metric of scoreMetrics) {
    const input = inputs[metric]
    scores[metric] = rated(typeof input === 'number' ? scoreOf(metric, input) : input)
  }
  for (const name of scoreAggregates) scores[name] = aggregate(childrenOf(name)!.map((child) => scores[child]!))
  return scores as RatedScores
}

/**
 * Returns the scores of a period together with those of the previous one (D26).
 *
 * @param currentInputs inputs of the period.
 * @param previousInputs inputs of the previous period.
 */
export function insightScores(current: ScoreInputs, last: ScoreInputs): InsightScores {
  const [now, before] = [ratedScores(current), ratedScores(last)]
  const compared = ([...scoreMetrics, ...scoreAggregates] as const).map((name) => {
    const aggregateOf = childrenOf(name)
    const score = { ...now[name], ...(aggregateOf ? { aggregateOf } : {}), lastPeriod: before[name] }
    return [name, { ...score, ...difference(now[name], before[name]) }] as const
  })
  return Object.fromEntries(compared) as InsightScores
}

function difference(now: Rated, before: Rated): { diffVsLastPeriod?: number } {
  return isCalculated(now) && isCalculated(before) ? { diffVsLastPeriod: now.score - before.score } : {}
}

/**
 * Returns the mean of the calculated scores. If there is none: `unknown` if all are unknown, otherwise `notCalculated`.
 */
function aggregate(children: readonly Rated[]): Rated {
  const scores = children.filter(isCalculated).map(({ score }) => score)
  if (scores.length === 0) {
    return rated(children.every(({ indicator }) => indicator === 'unknown') ? 'unknown' : 'notCalculated')
  }
  return rated(roundHalfUp(scores.reduce((sum, score) => sum + score, 0) / scores.length))
}
