/**
 * Rating of a lead time in the chart; insight scores use other limits
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores).
 */
export type LeadTimeTier = 'excellent' | 'good' | 'fair' | 'needsAttention' | 'notCalculated'

const day = 86_400_000

/** Tiers from the best to the worst, each with its exclusive upper limit of the mean total lead time in ms. */
export const leadTimeTiers = [
  { tier: 'excellent', below: day },
  { tier: 'good', below: 7 * day },
  { tier: 'fair', below: 28 * day },
  { tier: 'needsAttention', below: Infinity },
] as const satisfies readonly { tier: LeadTimeTier; below: number }[]

/** Returns the tier of a mean total lead time in ms; `notCalculated` if the count is 0. */
export function leadTimeTier({ count, mean }: { readonly count: number; readonly mean: number }): LeadTimeTier {
  if (count === 0) return 'notCalculated'
  return leadTimeTiers.find(({ below }) => mean < below)?.tier ?? 'needsAttention'
}
