import { findRoot } from './find-root.ts'
import { deviance, stirlingError } from './gamma.ts'

/**
 * Returns `x^a y^b / B(a, b)` with y = 1 - x. It needs no logarithm of the beta function, whose absolute error grows with
 * a and b (Loader 2000).
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
  return x < (a + 1) / (a + b + 2) ? (kernel * betaFraction(a, b, x)) / a : 1 - (kernel * betaFraction(b, a, y)) / b
}

/** Evaluates the continued fraction 26.5.8 of Abramowitz and Stegun by the method of Lentz. */
function betaFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300
  const inverse = (value: number) => 1 / (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = inverse(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = inverse(1 + even * d)
    c = 1 + even / c
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = inverse(1 + odd * d)
    c = 1 + odd / c
    const factor = d * c
    result *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return result
}

/** Returns the value that a beta-distributed variable is below with a probability, 0 < probability < 1. */
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
