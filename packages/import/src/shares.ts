import type { Loss, MovedServe } from './moved-project.ts'

/** 100 percent, in thousandths of a percent. */
export const whole = 100_000

export interface Weighted {
  readonly variation: number
  /** Of any unit. */
  readonly weight: number
}

/**
 * Weights in thousandths of a percent that come to a total: each rounded, and what is left goes to those that lost most.
 * Variations that are named twice are added up, those without weight left out.
 */
export function scaled(weights: readonly Weighted[], total: number): Weighted[] {
  const sums = new Map<number, number>()
  for (const { variation, weight } of weights) sums.set(variation, (sums.get(variation) ?? 0) + weight)
  const sum = [...sums.values()].reduce((a, b) => a + b, 0)
  if (sum <= 0 || total <= 0) return []
  const exact = [...sums].map(([variation, weight]) => ({ variation, share: (weight / sum) * total }))
  const left = total - exact.reduce((rounded, { share }) => rounded + Math.floor(share), 0)
  const losers = exact.toSorted((a, b) => (b.share % 1) - (a.share % 1)).slice(0, left)
  return exact
    .map((one) => ({ variation: one.variation, weight: Math.floor(one.share) + (losers.includes(one) ? 1 : 0) }))
    .filter(({ weight }) => weight > 0)
}

/**
 * What is served by weights that come to the whole; a variation that has all of it is served to everybody.
 *
 * @param bucketBy the attribute that decides; the key where left out.
 */
export function serveOf(weights: readonly Weighted[], contextKind: string, bucketBy?: string): MovedServe {
  const [only] = weights
  if (weights.length === 1 && only) return { variation: only.variation }
  return { rollout: { variations: weights, contextKind, ...(bucketBy === undefined ? {} : { bucketBy }) } }
}

/** The loss of a rollout whose shares are the same, and whose contexts fall in others. */
export function sharesMove(what: string, why = 'shares are dealt by another hash here'): Loss {
  return { what, why, instead: 'the same percentages, of other contexts', affects: 'shares' }
}
