import type { ImportedServe, Loss } from './imported-project.ts'

/** 100 percent, in thousandths of a percent. */
export const fullWeight = 100_000

export interface WeightedVariation {
  readonly variation: number
  /** Relative weight, in any unit. */
  readonly weight: number
}

/**
 * Scales weights to a total in thousandths of a percent. Each weight is rounded down, and the remainder is added to the
 * weights that lost most by this. The weights of equal variations are added, and zero weights are omitted.
 */
export function scaleWeights(weights: readonly WeightedVariation[], total: number): WeightedVariation[] {
  const sums = new Map<number, number>()
  for (const { variation, weight } of weights) sums.set(variation, (sums.get(variation) ?? 0) + weight)
  const sum = [...sums.values()].reduce((a, b) => a + b, 0)
  if (sum <= 0 || total <= 0) return []
  const exact = [...sums].map(([variation, weight]) => ({ variation, share: (weight / sum) * total }))
  const remaining = total - exact.reduce((rounded, { share }) => rounded + Math.floor(share), 0)
  const roundedUp = exact.toSorted((a, b) => (b.share % 1) - (a.share % 1)).slice(0, remaining)
  return exact
    .map((entry) => ({
      variation: entry.variation,
      weight: Math.floor(entry.share) + (roundedUp.includes(entry) ? 1 : 0),
    }))
    .filter(({ weight }) => weight > 0)
}

/**
 * Returns the rollout of weights whose sum is 100 percent. If one variation has all the weight, it is served without a
 * rollout.
 *
 * @param bucketBy the attribute by which contexts are bucketed; default: the key.
 */
export function serveOf(weights: readonly WeightedVariation[], contextKind: string, bucketBy?: string): ImportedServe {
  const [only] = weights
  if (weights.length === 1 && only) return { variation: only.variation }
  return { rollout: { variations: weights, contextKind, ...(bucketBy === undefined ? {} : { bucketBy }) } }
}

/** Returns the loss of a rollout that keeps its shares but assigns other contexts to them. */
export function sharesLoss(what: string, why = 'Halyard uses another hash'): Loss {
  return { what, why, instead: 'the percentages are the same, the contexts differ', affects: 'shares' }
}
