import { upperGamma } from './gamma.ts'

const rootTwoPi = Math.sqrt(2 * Math.PI)

/** Returns the density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / rootTwoPi
}

/** Returns the probability that a standard normal variable is at most z. */
export function normalProbability(z: number): number {
  const tail = upperGamma(0.5, (z * z) / 2) / 2
  return z < 0 ? tail : 1 - tail
}

/**
 * Returns a quantile of the standard normal distribution, 0 < probability < 1: the approximation 26.2.23 of Abramowitz
 * and Stegun, improved by Halley's method.
 */
export function normalQuantile(probability: number): number {
  if (probability === 0.5) return 0
  if (probability > 0.5) return -normalQuantile(1 - probability)
  const t = Math.sqrt(-2 * Math.log(probability))
  let z =
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t) - t
  for (let i = 0; i < 4; i++) {
    const step = (normalProbability(z) - probability) / normalDensity(z)
    z -= step / (1 + (z * step) / 2)
  }
  return z
}
