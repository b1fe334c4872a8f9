import { insightScoreTable } from '../insight-score/score-table.ts'

/** Rating of the mean lead time of a chart (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores). */
export type LeadTimeTier = 'excellent' | 'good' | 'fair' | 'needsAttention' | 'notCalculated'

const { anchors } = insightScoreTable.metrics.leadTime

/** Tiers from the best to the worst, each with its inclusive upper limit of the mean total lead time in ms. */
export const leadTimeTiers = [
  { tier: 'excellent', atMost: anchors[1] },
  { tier: 'good', atMost: anchors[2] },
  { tier: 'fair', atMost: anchors[3] },
  { tier: 'needsAttention', atMost: Infinity },
] as const satisfies readonly { tier: LeadTimeTier; atMost: number }[]

/** Returns the tier of a mean total lead time in ms; `notCalculated` if the count is 0. */
export function leadTimeTier({ count, mean }: { readonly count: number; readonly mean: number }): LeadTimeTier {
  if (count === 0) return 'notCalculated'
  return leadTimeTiers.find(({ atMost }) => mean <= atMost)?.tier ?? 'needsAttention'
}
