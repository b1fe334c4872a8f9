const logRootTwoPi = 0.9189385332046728

/** Argument from which five terms of Stirling's series have a relative error below 1e-16. */
const stirlingFrom = 15

/**
 * Returns the error of Stirling's formula, `log(n!) - log(sqrt(2 pi n) (n/e)^n)`, for n > 0. Densities that are
 * computed from it are precise even for large counts, for which differences of `logGamma` lose precision (Loader 2000,
 * "Fast and accurate computation of binomial probabilities").
 */
export function stirlingError(n: number): number {
  if (n < stirlingFrom) return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - logRootTwoPi
  const s = 1 / (n * n)
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - s / 1188) * s) * s) * s) / n
}

/** Returns the logarithm of the gamma function of x > 0. */
export function logGamma(x: number): number {
  let product = 1
  let shifted = x
  while (shifted < stirlingFrom) product *= shifted++
  return (shifted - 0.5) * Math.log(shifted) - shifted + logRootTwoPi + stirlingError(shifted) - Math.log(product)
}

/** Returns `x log(x / mean) + mean - x` without cancellation where x is near the mean (Loader 2000). */
export function deviance(x: number, mean: number): number {
  if (x === 0) return mean
  if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x
  const v = (x - mean) / (x + mean)
  let sum = (x - mean) * v
  let power = 2 * x * v
  for (let j = 1; ; j++) {
    power *= v * v
    const next = sum + power / (2 * j + 1)
    if (next === sum) return sum
    sum = next
  }
}

/**
 * Returns the regularized upper incomplete gamma function Q(a, x) for a > 0 and x >= 0: by its series below a + 1, by
 * its continued fraction above (Abramowitz and Stegun 6.5.29, 6.5.31).
 */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const kernel = Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a)
  return x < a + 1 ? 1 - kernel * gammaSeries(a, x) : kernel * a * gammaFraction(a, x)
}

function gammaSeries(a: number, x: number): number {
  let sum = 1
  let term = 1
  for (let n = 1; term > sum * 1e-17; n++) sum += term *= x / (a + n)
  return sum
}

/** Evaluates the continued fraction by the method of Lentz. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1e300
  let d = 1 / b
  let result = d
  for (let i = 1; i < 100_000; i++) {
    const step = -i * (i - a)
    b += 2
    d = 1 / (step * d + b)
    c = b + step / c
    const factor = d * c
    result *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return result
}
