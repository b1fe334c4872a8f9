import { findRoot } from './find-root.ts'
import { deviance, stirlingError } from './gamma.ts'

/**
 * Returns `x^a y^b / B(a, b)` with y = 1 - x. It needs no logarithm of the beta function, whose absolute error grows
 * with a and b (Loader 2000).
 */
function betaKernel(a: number, b: number, x: number, y: number): number {
  const n = a + b
  const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x) - deviance(b, n * y)
  return Math.exp(exponent) * Math.sqrt((a * b) / (2 * Math.PI * n))
}

/** Returns the density of the beta distribution with parameters a, b > 0 at 0 < x < 1. */
export function betaDensity(a: number, b: number, x: number): number {
  return x <= 0 || x >= 1 ? 0 : betaKernel(a, b, x, 1 - x) / (x * (1 - x))
}

/**
 * Returns the regularized incomplete beta function, which is the distribution function of the beta distribution.
 *
 * @param a first parameter, > 0.
 * @param b second parameter, > 0.
 * @param x 0 to 1.
 * @param y 1 - x, if the caller knows it more precisely.
 */
export function incompleteBeta(a: number, b: number, x: number, y: number = 1 - x): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  const kernel = betaKernel(a, b, x, y)
  // The continued fraction converges fast below the mean; above it the complement is below the mean.
  const aboveMean = (a + b) * y - b
  return aboveMean >= 0
    ? kernel / betaFraction({ a, b }, x, y, aboveMean)
    : 1 - kernel / betaFraction({ a: b, b: a }, y, x, -aboveMean)
}

/** The shape of a beta distribution. */
interface BetaShape {
  readonly a: number
  readonly b: number
}

/**
 * Evaluates the continued fraction 9 of Didonato and Morris 1992, "Algorithm 708: significant digit computation of the
 * incomplete beta function ratios", by the method of Lentz.
 *
 * @param distance `a - (a + b) x`, at least 0: computed from the smaller of x and y, it keeps its precision.
 */
function betaFraction({ a, b }: BetaShape, x: number, y: number, distance: number): number {
  let result = (a * (1 + distance)) / (a + 1)
  let c = result
  let d = 0
  for (let n = 1; n < 100_000; n++) {
    const before = a + n - 1
    const odd = a + 2 * n - 1
    const product = n * (b - n) * x
    const numerator = ((before * (before + b) * product) / (odd * odd)) * x
    const denominator = n + product / odd + ((a + n) / (odd + 2)) * (1 + distance + n * (1 + y))
    d = 1 / (denominator + numerator * d)
    c = denominator + numerator / c
    const factor = c * d
    result *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return result
}

/**
 * Returns a quantile of a beta distribution: the value below which the variable is with this probability, 0 <
 * probability < 1.
 */
export function betaQuantile(a: number, b: number, probability: number): number {
  return findRoot({
    value: (x) => incompleteBeta(a, b, x) - probability,
    slope: (x) => betaDensity(a, b, x),
    lower: 0,
    upper: 1,
    start: a / (a + b),
    precision: 0,
  })
}
