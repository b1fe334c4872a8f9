import { incompleteBeta } from './beta.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import { normalQuantile } from './normal.ts'
import { sortedBins, type ValueSketch, valueAt } from './value-sketch.ts'

/** Level of the interval from which the standard error of a percentile is computed. */
const errorLevel = 0.05

/**
 * Estimates a percentile of the values of units. Its standard error is the width of its interval, divided by the width
 * of a standard normal interval (Deng, Knoblich and Lu 2018, section 4.1).
 *
 * @param sketch values of the units of one variation.
 * @param share the percentile, as a number between 0 and 1: 0.95 for the 95th.
 * @returns undefined for too few units to have an interval: 6 for the median, 73 for the 95th percentile.
 * @throws RangeError for a share outside 0 to 1.
 */
export function percentileOf(sketch: ValueSketch, share: number): MetricEstimate | undefined {
  const bins = sortedBins(sketch)
  const units = bins.reduce((sum, [, count]) => sum + count, 0)
  const ranks = percentileRanks(units, share, errorLevel)
  if (!ranks) return undefined
  const width = valueAt(bins, ranks.upper) - valueAt(bins, ranks.lower)
  return {
    units,
    value: valueAt(bins, units * share),
    standardError: width / (-2 * normalQuantile(errorLevel / 2)),
  }
}

/**
 * Returns the ranks of the two units between whose values a percentile lies with probability `1 - level` at least, for
 * values of any distribution: the number of units below a percentile has a binomial distribution (Conover 1999,
 * "Practical nonparametric statistics", section 3.2).
 *
 * @param units number of units.
 * @param share the percentile, 0 to 1, both excluded.
 * @param level probability that the interval misses the percentile, 0 to 1, both excluded.
 * @returns ranks in ascending order, starting at 1; undefined if there are too few units.
 * @throws RangeError for a share or a level outside 0 to 1.
 */
export function percentileRanks(
  units: number,
  share: number,
  level: number,
): { readonly lower: number; readonly upper: number } | undefined {
  for (const [name, value] of Object.entries({ share, level }))
    if (!(value > 0 && value < 1)) throw new RangeError(`\`${name}\` must be between 0 and 1: ${value}`)
  const lower = firstRank(units, (rank) => binomialProbability(rank, units, share) > level / 2)
  const upper = firstRank(units, (rank) => binomialProbability(rank, units, share) >= 1 - level / 2) + 1
  return lower > 0 && upper <= units ? { lower, upper } : undefined
}

/** Returns the smallest number from 0 to `units` that satisfies a condition which all larger ones satisfy. */
function firstRank(units: number, satisfies: (rank: number) => boolean): number {
  let low = 0
  let high = units
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (satisfies(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the probability of at most `count` successes in `trials` trials. */
function binomialProbability(count: number, trials: number, share: number): number {
  return count >= trials ? 1 : incompleteBeta(trials - count, count + 1, 1 - share, share)
}
