import { type Indicator, insightScoreTable } from './score-table.ts'

/** A score with its tier. */
export interface Rating {
  /** Score from 0 to 100; 0 if it is not calculated. */
  readonly score: number
  readonly indicator: Indicator
  /** Lowest and highest score with this indicator; the whole scale if the score is not calculated. */
  readonly indicatorRange: { readonly min: number; readonly max: number }
}

/** Reason why there is no score. */
export type MissingScore = 'notCalculated' | 'unknown'

/** Returns the rating of a whole score from 0 to 100, or of a missing one. */
export function rate(score: number | MissingScore): Rating {
  if (typeof score !== 'number') return { score: 0, indicator: score, indicatorRange: { min: 0, max: 100 } }
  const { indicator, min, max } = insightScoreTable.tiers.find((tier) => score >= tier.min)!
  return { score, indicator, indicatorRange: { min, max } }
}

/** Returns true if there is a score. */
export function isCalculated({ indicator }: Pick<Rating, 'indicator'>): boolean {
  return indicator !== 'notCalculated' && indicator !== 'unknown'
}
