/** How good a lead time is. The tiers of the chart; an insight score has anchors of its own (D26). */
export type LeadTimeTier = 'excellent' | 'good' | 'fair' | 'needsAttention' | 'notCalculated'

const day = 86_400_000

/** Tiers from the best, each with the mean total lead time in ms that it ends before. */
export const leadTimeTiers = [
  { tier: 'excellent', below: day },
  { tier: 'good', below: 7 * day },
  { tier: 'fair', below: 28 * day },
  { tier: 'needsAttention', below: Infinity },
] as const satisfies readonly { tier: LeadTimeTier; below: number }[]

/** The tier of a mean total lead time in ms; `notCalculated` when nothing was counted. */
export function leadTimeTier({ count, mean }: { readonly count: number; readonly mean: number }): LeadTimeTier {
  if (count === 0) return 'notCalculated'
  return leadTimeTiers.find(({ below }) => mean < below)?.tier ?? 'needsAttention'
}
