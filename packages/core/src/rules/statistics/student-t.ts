import { incompleteBeta } from './beta.ts'
import { stirlingError } from './gamma.ts'
import { normalQuantile } from './normal.ts'

/**
 * Returns the probability that the absolute value of a variable with Student's t distribution exceeds t.
 *
 * @param t any number.
 * @param freedom degrees of freedom, > 0; not necessarily whole.
 */
export function twoSidedProbability(t: number, freedom: number): number {
  const square = t * t
  if (square === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square))
}

/**
 * Returns the value that the absolute value of a variable with Student's t distribution exceeds with the given
 * probability.
 *
 * @param probability 0 to 1, both excluded.
 * @param freedom degrees of freedom, > 0; not necessarily whole.
 */
export function twoSidedQuantile(probability: number, freedom: number): number {
  // Newton's method starts at the quantile of the normal distribution, which is below the quantile of every t
  // distribution. The probability is convex there, so the method ascends to the solution.
  let t = -normalQuantile(probability / 2)
  for (let i = 0; i < 2_000; i++) {
    const next = t + (twoSidedProbability(t, freedom) - probability) / (2 * tDensity(t, freedom))
    if (!(next > t * (1 + 2e-16))) return t
    t = next
  }
  return t
}

function tDensity(t: number, freedom: number): number {
  const half = freedom / 2
  // Gamma(half + 1/2) / Gamma(half), by Stirling's formula and the error of the formula at both arguments.
  const logRatio =
    (half - 0.5) * Math.log1p(0.5 / half) +
    0.5 * Math.log(half + 0.5) -
    0.5 +
    stirlingError(half + 0.5) -
    stirlingError(half)
  return Math.exp(logRatio - (half + 0.5) * Math.log1p((t * t) / freedom)) / Math.sqrt(freedom * Math.PI)
}
