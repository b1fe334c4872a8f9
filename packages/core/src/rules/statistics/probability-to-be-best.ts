import type { ComparisonOptions, Direction } from './comparison.ts'
import { integrate } from './integrate.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import { integrationPoints, type Posterior, pointsWithin, posteriorOf } from './posterior.ts'

/** Options of {@link probabilityToBeBest} and {@link expectedLosses}. */
export type PosteriorOptions = Pick<ComparisonOptions, 'direction' | 'prior'>

/**
 * Returns for each variation the probability that it is the best, by numeric integration.
 *
 * @param estimates estimates of all variations.
 * @param options the desired change, and the prior distribution of proportions.
 * @returns probabilities in the order of `estimates`; they add up to 1.
 */
export function probabilityToBeBest(
  estimates: readonly MetricEstimate[],
  { direction = 'increase', prior }: PosteriorOptions = {},
): number[] {
  const posteriors = estimates.map((estimate) => posteriorOf(estimate, prior))
  const shares = posteriors.map((_, i) => probabilityToExceed(posteriors, i, direction))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share) => share / total)
}

/**
 * Returns for each variation the expected loss of choosing it: how much worse its value is than that of the best one,
 * on average, in units of the metric.
 *
 * @param estimates estimates of all variations.
 * @param options the desired change, and the prior distribution of proportions.
 * @returns losses in the order of `estimates`, none negative.
 */
export function expectedLosses(
  estimates: readonly MetricEstimate[],
  { direction = 'increase', prior }: PosteriorOptions = {},
): number[] {
  return lossesOf(
    estimates.map((estimate) => posteriorOf(estimate, prior)),
    direction,
  )
}

/** Returns the expected losses of variations with these distributions. */
export function lossesOf(posteriors: readonly Posterior[], direction: Direction): number[] {
  const points = integrationPoints(posteriors)
  const scale = Math.max(...posteriors.map(({ standardDeviation }) => standardDeviation))
  return posteriors.map(({ probability }, i) => {
    // The loss is the expected maximum minus the expected value. It equals the integral of the difference of the
    // distribution functions.
    const others = posteriors.filter((_, j) => j !== i)
    const lossDensity =
      direction === 'increase'
        ? (x: number) => probability(x) * (1 - product(others, (other) => other.probability(x)))
        : (x: number) => (1 - probability(x)) * (1 - product(others, (other) => 1 - other.probability(x)))
    return Math.max(0, integrate(lossDensity, points, scale || 1))
  })
}

/** Returns the probability that the variation at an index is better than all others. */
export function probabilityToExceed(posteriors: readonly Posterior[], i: number, direction: Direction): number {
  const posterior = posteriors[i] as Posterior
  const others = posteriors.filter((_, j) => j !== i)
  const exceeds =
    direction === 'increase'
      ? (x: number) => product(others, (other) => other.probability(x))
      : (x: number) => product(others, (other) => 1 - other.probability(x))
  if (posterior.standardDeviation === 0) return exceeds(posterior.mean)
  return Math.min(
    1,
    integrate((x) => posterior.density(x) * exceeds(x), pointsWithin(posterior, integrationPoints(others))),
  )
}

function product(posteriors: readonly Posterior[], factor: (posterior: Posterior) => number): number {
  let result = 1
  for (const posterior of posteriors) result *= factor(posterior)
  return result
}
