import { covariance, errorOfMean, type MetricEstimate, ratioOf } from './metric-estimate.ts'
import type { UnitSums } from './unit-sums.ts'

/**
 * Estimates the means of all variations with less variance, with the help of the values that the units had before the
 * experiment: CUPED (Deng, Xu, Kohavi and Walker 2013, "Improving the sensitivity of online controlled experiments by
 * utilizing pre-experiment data", section 3.2). A value is reduced by `theta` times the difference of its
 * pre-experiment value from the mean of all variations.
 *
 * `theta` is the slope within variations, pooled over them, so that an effect of the treatment does not change it. The
 * difference of two variations is then the difference that an analysis of covariance estimates.
 *
 * @param variations sums of each variation, with the sums of pre-experiment values.
 * @returns an estimate for each variation, in the same order; undefined for a variation with fewer than 2 units. If no
 *   unit has a pre-experiment value that differs from the others, the estimates are those of {@link meanOf}.
 */
export function cupedMeans(variations: readonly UnitSums[]): (MetricEstimate | undefined)[] {
  return adjusted(variations.map(momentsOf))
}

/**
 * Estimates the ratios of all variations with less variance, like {@link cupedMeans}. It is applied to the linearized
 * ratio of each unit, `(value - ratio * denominator) / mean denominator`, as in the delta method (Deng, Xu, Kohavi and
 * Walker 2013, appendix B). The covariate is the linearized ratio of the same unit before the experiment, for which
 * `ratio` and `mean denominator` are computed over all variations together.
 *
 * @param variations sums of each variation, with denominators, and the sums of values and denominators before the
 *   experiment.
 * @returns an estimate for each variation, in the same order; undefined for one without an estimate of {@link ratioOf}.
 *   If the sum of the denominators before the experiment is 0, the estimates are those of {@link ratioOf}.
 * @throws RangeError for sums without denominators.
 */
export function cupedRatios(variations: readonly UnitSums[]): (MetricEstimate | undefined)[] {
  const estimates = variations.map(ratioOf)
  const known = variations.filter((_, index) => estimates[index])
  const total = (of: (sums: UnitSums) => number | undefined) => known.reduce((sum, one) => sum + (of(one) ?? 0), 0)
  const preDenominatorSum = total((one) => one.preDenominatorSum)
  if (preDenominatorSum === 0) return estimates
  const pre = {
    ratio: total((one) => one.preSum) / preDenominatorSum,
    meanDenominator: preDenominatorSum / total((one) => one.units),
  }
  return adjusted(
    variations.map((sums, index) => estimates[index] && ratioMomentsOf(sums, estimates[index].value, pre)),
  )
}

/** Subtracts from the means the part that the values before the experiment explain. */
function adjusted(moments: readonly (Moments | undefined)[]): (MetricEstimate | undefined)[] {
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

function momentsOf({
  units,
  sum,
  sumOfSquares,
  preSum = 0,
  preSumOfSquares = 0,
  crossSum = 0,
}: UnitSums): Moments | undefined {
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

/** Returns the moments of linearized ratios. */
function ratioMomentsOf(
  sums: UnitSums,
  ratio: number,
  pre: { readonly ratio: number; readonly meanDenominator: number },
): Moments {
  const { units, sum, sumOfSquares, preSum = 0, preSumOfSquares = 0, crossSum = 0 } = sums
  const { denominatorSum = 0, denominatorSumOfSquares = 0, ratioCrossSum = 0 } = sums
  const { preDenominatorSum = 0, preDenominatorSumOfSquares = 0, preRatioCrossSum = 0 } = sums
  const { valuePreDenominatorSum = 0, denominatorPreSum = 0, denominatorPreDenominatorSum = 0 } = sums
  const meanDenominator = denominatorSum / units
  const variance =
    covariance(units, sum, sum, sumOfSquares) -
    2 * ratio * covariance(units, sum, denominatorSum, ratioCrossSum) +
    ratio * ratio * covariance(units, denominatorSum, denominatorSum, denominatorSumOfSquares)
  const preVariance =
    covariance(units, preSum, preSum, preSumOfSquares) -
    2 * pre.ratio * covariance(units, preSum, preDenominatorSum, preRatioCrossSum) +
    pre.ratio * pre.ratio * covariance(units, preDenominatorSum, preDenominatorSum, preDenominatorSumOfSquares)
  const crossVariance =
    covariance(units, sum, preSum, crossSum) -
    pre.ratio * covariance(units, sum, preDenominatorSum, valuePreDenominatorSum) -
    ratio * covariance(units, denominatorSum, preSum, denominatorPreSum) +
    ratio * pre.ratio * covariance(units, denominatorSum, preDenominatorSum, denominatorPreDenominatorSum)
  return {
    units,
    mean: ratio,
    preMean: (preSum - pre.ratio * preDenominatorSum) / (units * pre.meanDenominator),
    variance: variance / meanDenominator ** 2,
    preVariance: preVariance / pre.meanDenominator ** 2,
    crossVariance: crossVariance / (meanDenominator * pre.meanDenominator),
  }
}
