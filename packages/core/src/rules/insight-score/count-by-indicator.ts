import type { Indicator } from './score-table.ts'

export type IndicatorCounts = { readonly [indicator in Indicator | 'total']: number }

/** Counts scores by indicator, and in total. */
export function countByIndicator(scores: readonly { readonly indicator: Indicator }[]): IndicatorCounts {
  const counts = { excellent: 0, good: 0, fair: 0, needsAttention: 0, notCalculated: 0, unknown: 0 }
  for (const { indicator } of scores) counts[indicator]++
  return { ...counts, total: scores.length }
}
