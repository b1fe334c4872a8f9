import { covariance, errorOfMean, type MetricEstimate } from './metric-estimate.ts'
import type { UnitSums } from './unit-sums.ts'

/**
 * Estimates the means of all variations with less variance, from what the units did before the experiment: CUPED (Deng,
 * Xu, Kohavi and Walker 2013, "Improving the sensitivity of online controlled experiments by utilizing pre-experiment
 * data", section 3.2). A value is reduced by `theta` times the difference of its pre-experiment value from the mean of
 * all variations.
 *
 * `theta` is the slope within variations, pooled over them, so that an effect of the treatment does not change it. The
 * difference of two variations is then the one that analysis of covariance estimates.
 *
 * @param variations sums of each variation, with the sums of pre-experiment values.
 * @returns an estimate for each variation, in the same order; undefined for one with fewer than 2 units. If no unit has a
 *   pre-experiment value that differs from the others, the estimates are those of {@link meanOf}.
 */
export function cupedMeans(variations: readonly UnitSums[]): (MetricEstimate | undefined)[] {
  const moments = variations.map(momentsOf)
  const known = moments.filter((one) => one !== undefined)
  const total = (of: (moments: Moments) => number) => known.reduce((sum, one) => sum + of(one), 0)
  const units = total((one) => one.units)
  const preMean = total((one) => one.units * one.preMean) / units
  const preVariance = total((one) => (one.units - 1) * one.preVariance)
  const theta = preVariance > 0 ? total((one) => (one.units - 1) * one.crossVariance) / preVariance : 0
  return moments.map(
    (one) =>
      one && {
        units: one.units,
        value: one.mean - theta * (one.preMean - preMean),
        standardError: errorOfMean(
          one.units,
          one.variance - 2 * theta * one.crossVariance + theta * theta * one.preVariance,
        ),
      },
  )
}

interface Moments {
  readonly units: number
  readonly mean: number
  readonly preMean: number
  readonly variance: number
  readonly preVariance: number
  readonly crossVariance: number
}

function momentsOf({ units, sum, sumOfSquares, preSum = 0, preSumOfSquares = 0, crossSum = 0 }: UnitSums) {
  if (units < 2) return undefined
  return {
    units,
    mean: sum / units,
    preMean: preSum / units,
    variance: covariance(units, sum, sum, sumOfSquares),
    preVariance: covariance(units, preSum, preSum, preSumOfSquares),
    crossVariance: covariance(units, sum, preSum, crossSum),
  }
}
