import { type Indicator, insightScoreTable } from './score-table.ts'

/** A score and how good it is. */
export interface Rated {
  /** 0 to 100; 0 where it is not calculated. */
  readonly score: number
  readonly indicator: Indicator
  /** Lowest and highest score with this indicator; the whole scale where it is not calculated. */
  readonly indicatorRange: { readonly min: number; readonly max: number }
}

/** Why there is no score. */
export type Missing = 'notCalculated' | 'unknown'

/** Rates a whole score, 0 to 100, or says why there is none. */
export function rated(score: number | Missing): Rated {
  if (typeof score !== 'number') return { score: 0, indicator: score, indicatorRange: { min: 0, max: 100 } }
  const { indicator, min, max } = insightScoreTable.tiers.find((tier) => score >= tier.min)!
  return { score, indicator, indicatorRange: { min, max } }
}

/** Whether there is a score at all. */
export function isCalculated({ indicator }: Pick<Rated, 'indicator'>): boolean {
  return indicator !== 'notCalculated' && indicator !== 'unknown'
}
