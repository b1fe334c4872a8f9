import type { BayesianComparison, ComparisonOptions, Direction, IntervalEstimate } from './comparison.ts'
import { findRoot } from './find-root.ts'
import { integrate } from './integrate.ts'
import { type ComparedEstimates, intervals, verdictOf } from './intervals.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import { normalDensity, normalProbability, normalQuantile } from './normal.ts'
import { integrationPoints, type Posterior, pointsWithin, posteriorOf } from './posterior.ts'
import { lossesOf, probabilityToExceed } from './probability-to-be-best.ts'

interface BayesianOptions extends Pick<ComparisonOptions, 'prior'> {
  readonly level: number
  readonly direction: Direction
}

/** Compares two variations by the posterior distributions of their values. */
export function bayesianComparison(
  control: MetricEstimate,
  treatment: MetricEstimate,
  { level, direction, prior }: BayesianOptions,
): BayesianComparison {
  return control.successes === undefined || treatment.successes === undefined
    ? normalComparison({ control, treatment }, level, direction)
    : betaComparison([posteriorOf(control, prior), posteriorOf(treatment, prior)], level, direction)
}

/**
 * Compares two variations whose values have normal posteriors. Their difference is normal too, so every result has a
 * closed form.
 */
function normalComparison(
  { control, treatment }: ComparedEstimates,
  level: number,
  direction: Direction,
): BayesianComparison {
  const base = intervals({ control, treatment }, -normalQuantile(level / 2), direction)
  const error = Math.hypot(control.standardError, treatment.standardError)
  const gain = direction === 'increase' ? base.difference.estimate : -base.difference.estimate
  const z = gain === 0 ? 0 : gain / error
  const expectedLoss = error === 0 ? Math.max(0, -gain) : error * normalDensity(z) - gain * normalProbability(-z)
  return { method: 'bayesian', probabilityToBeatControl: normalProbability(z), expectedLoss, ...base }
}

function betaComparison(
  posteriors: readonly [Posterior, Posterior],
  level: number,
  direction: Direction,
): BayesianComparison {
  const [control, treatment] = posteriors
  const difference = {
    estimate: treatment.mean - control.mean,
    lower: differenceQuantile(posteriors, level / 2),
    upper: differenceQuantile(posteriors, 1 - level / 2),
  }
  const [, expectedLoss] = lossesOf(posteriors, direction) as [number, number]
  return {
    method: 'bayesian',
    probabilityToBeatControl: probabilityToExceed(posteriors, 1, direction),
    expectedLoss,
    difference,
    relativeDifference: relativeInterval(posteriors, level),
    verdict: verdictOf(difference, direction),
  }
}

function relativeInterval(posteriors: readonly [Posterior, Posterior], level: number): IntervalEstimate {
  const [control, treatment] = posteriors
  return {
    estimate: treatment.mean / control.mean - 1,
    lower: ratioQuantile(posteriors, level / 2) - 1,
    upper: ratioQuantile(posteriors, 1 - level / 2) - 1,
  }
}

/** Returns the value that the difference of two proportions is below with a probability. */
function differenceQuantile([control, treatment]: readonly [Posterior, Posterior], probability: number): number {
  const treatmentPoints = integrationPoints([treatment])
  const average = (d: number, f: (x: number) => number) =>
    integrate(
      (x) => control.density(x) * f(x + d),
      pointsWithin(
        control,
        treatmentPoints.map((x) => x - d),
      ),
    )
  return findRoot({
    value: (d) => average(d, treatment.probability) - probability,
    slope: (d) => average(d, treatment.density),
    lower: -1,
    upper: 1,
    // The search starts at the quantile of a normal distribution. From there, Newton's method needs half as many steps
    // as from the mean.
    start:
      treatment.mean -
      control.mean +
      normalQuantile(probability) * Math.hypot(control.standardDeviation, treatment.standardDeviation),
    precision: 1e-12 * treatment.standardDeviation,
  })
}

/** Returns a quantile of the ratio of two proportions. The search uses the logarithm of the ratio. */
function ratioQuantile([control, treatment]: readonly [Posterior, Posterior], probability: number): number {
  const treatmentPoints = integrationPoints([treatment])
  const average = (ratio: number, f: (x: number) => number) =>
    integrate(
      (x) => control.density(x) * f(x * ratio),
      pointsWithin(
        control,
        treatmentPoints.map((x) => x / ratio),
      ),
    )
  const logarithm = findRoot({
    value: (u) => average(Math.exp(u), treatment.probability) - probability,
    slope: (u) => average(Math.exp(u), (x) => x * treatment.density(x)),
    lower: -700,
    upper: 700,
    start:
      Math.log(treatment.mean / control.mean) +
      normalQuantile(probability) *
        Math.hypot(control.standardDeviation / control.mean, treatment.standardDeviation / treatment.mean),
    precision: 1e-13,
  })
  return Math.exp(logarithm)
}
