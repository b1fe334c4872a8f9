import type { UnitSums } from './unit-sums.ts'

/** The value of a metric for one variation, estimated from its units. */
export interface MetricEstimate {
  /** Number of units that the estimate is made of. */
  readonly units: number
  /** Estimated value of the metric. */
  readonly value: number
  /** Standard deviation of the estimated value. */
  readonly standardError: number
  /** Number of units with the value 1; present for proportions only. */
  readonly successes?: number
}

/**
 * Estimates the mean value of a unit. Its standard error is that of the mean, with n - 1 in the variance.
 *
 * @param sums sums of one variation.
 * @returns undefined for fewer than 2 units.
 */
export function meanOf({ units, sum, sumOfSquares }: UnitSums): MetricEstimate | undefined {
  if (units < 2) return undefined
  return { units, value: sum / units, standardError: errorOfMean(units, covariance(units, sum, sum, sumOfSquares)) }
}

/**
 * Estimates the proportion of units with the value 1. Bayesian comparisons of proportions use Beta distributions.
 *
 * @param sums sums of units whose values are all 0 or 1.
 * @returns undefined for fewer than 2 units.
 * @throws RangeError for sums that values of 0 and 1 cannot have.
 */
export function proportionOf(sums: UnitSums): MetricEstimate | undefined {
  const { units, sum, sumOfSquares } = sums
  if (sum !== sumOfSquares || sum < 0 || sum > units || !Number.isInteger(sum))
    throw new RangeError(`\`sums\` must be of the values 0 and 1: sum ${sum}, sum of squares ${sumOfSquares}`)
  const mean = meanOf(sums)
  return mean && { ...mean, successes: sum }
}

/**
 * Estimates a ratio of two sums, for example of clicks to page views where the units are users. The values of one unit
 * depend on each other, so the standard error is that of the delta method (Deng, Knoblich and Lu 2018, "Applying the
 * delta method in metric analytics", equation 4).
 *
 * @param sums sums of one variation, with the sums of denominators.
 * @returns undefined for fewer than 2 units, and for denominators whose sum is 0.
 * @throws RangeError for sums without denominators.
 */
export function ratioOf(sums: UnitSums): MetricEstimate | undefined {
  const { units, sum, sumOfSquares, denominatorSum, denominatorSumOfSquares, ratioCrossSum } = sums
  if (denominatorSum === undefined || denominatorSumOfSquares === undefined || ratioCrossSum === undefined) {
    if (units === 0) return undefined
    throw new RangeError('`sums` must contain denominatorSum, denominatorSumOfSquares and ratioCrossSum')
  }
  if (units < 2 || denominatorSum === 0) return undefined
  const value = sum / denominatorSum
  const variance =
    covariance(units, sum, sum, sumOfSquares) -
    2 * value * covariance(units, sum, denominatorSum, ratioCrossSum) +
    value * value * covariance(units, denominatorSum, denominatorSum, denominatorSumOfSquares)
  const error = errorOfMean(units, variance)
  return { units, value, standardError: error / Math.abs(denominatorSum / units) }
}

/** Returns the sample covariance of two values of a unit, from their sums and the sum of their products. */
export function covariance(units: number, sum: number, otherSum: number, productSum: number): number {
  return (productSum - (sum * otherSum) / units) / (units - 1)
}

/** Returns the standard error of a mean. Rounding can make a variance of nearly equal values negative. */
export function errorOfMean(units: number, variance: number): number {
  return Math.sqrt(Math.max(variance, 0) / units)
}
