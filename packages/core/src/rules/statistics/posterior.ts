import { betaDensity, incompleteBeta } from './beta.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import { normalDensity, normalProbability } from './normal.ts'

/** Probability distribution of the value of a metric for one variation, given its units. */
export interface Posterior {
  readonly mean: number
  readonly standardDeviation: number
  /** Smallest possible value. */
  readonly lowest: number
  /** Largest possible value. */
  readonly highest: number
  readonly density: (x: number) => number
  /** Returns the probability that the value is at most x. */
  readonly probability: (x: number) => number
}

/** Creates the normal distribution; with a standard deviation of 0 it is the certain value. */
export function normalPosterior(mean: number, standardDeviation: number): Posterior {
  const z = (x: number) => (x - mean) / standardDeviation
  return {
    mean,
    standardDeviation,
    lowest: Number.NEGATIVE_INFINITY,
    highest: Number.POSITIVE_INFINITY,
    density: (x) => normalDensity(z(x)) / standardDeviation,
    // The probability at the value itself is one half, so that of two equal certain values each is equally likely to be
    // the larger one.
    probability: (x) => (x === mean ? 0.5 : standardDeviation === 0 ? Number(x > mean) : normalProbability(z(x))),
  }
}

/**
 * Creates the distribution of a proportion: Beta with the parameters of the prior plus the counts.
 *
 * @param successes number of units with the value 1.
 * @param units number of units.
 * @param prior parameters of the prior distribution; 1 and 1 make all proportions equally likely.
 */
export function betaPosterior(
  successes: number,
  units: number,
  prior: { readonly a: number; readonly b: number } = { a: 1, b: 1 },
): Posterior {
  const a = successes + prior.a
  const b = units - successes + prior.b
  const mean = a / (a + b)
  return {
    mean,
    standardDeviation: Math.sqrt((mean * (1 - mean)) / (a + b + 1)),
    lowest: 0,
    highest: 1,
    density: (x) => betaDensity(a, b, x),
    probability: (x) => incompleteBeta(a, b, x),
  }
}

/** Distances from the mean, in standard deviations, between which a density changes gradually. */
const distances = [-40, -14, -9, -6, -4, -2, -1, 0, 1, 2, 4, 6, 9, 14, 40]

/** Returns points for `integrate` that are close together where one of the distributions changes. */
export function integrationPoints(posteriors: readonly Posterior[]): number[] {
  const points = posteriors.flatMap(({ mean, standardDeviation, lowest, highest }) =>
    distances.map((distance) => Math.min(Math.max(mean + distance * standardDeviation, lowest), highest)),
  )
  return [...new Set(points)].sort((a, b) => a - b)
}

/**
 * Returns points for `integrate` that span one distribution: its own points, and the points of `others` between them.
 */
export function pointsWithin(posterior: Posterior, others: readonly number[]): number[] {
  const points = integrationPoints([posterior])
  const first = points[0]!
  const last = points.at(-1)!
  return [...points, ...others.filter((point) => point > first && point < last)].sort((a, b) => a - b)
}

/**
 * Returns the distribution of the true value of an estimate: Beta for a proportion, otherwise normal with a flat prior.
 */
export function posteriorOf(estimate: MetricEstimate, prior?: { readonly a: number; readonly b: number }): Posterior {
  const { successes, units, value, standardError } = estimate
  return successes === undefined ? normalPosterior(value, standardError) : betaPosterior(successes, units, prior)
}
