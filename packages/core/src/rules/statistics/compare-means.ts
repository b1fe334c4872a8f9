import { bayesianComparison } from './bayesian-comparison.ts'
import type { Comparison, ComparisonMethod, ComparisonOptions } from './comparison.ts'
import { intervals } from './intervals.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import {
  defaultMinimumUnits,
  defaultTuningUnits,
  evenUnits,
  sequentialFactor,
  sequentialPValue,
} from './sequential-test.ts'
import { twoSidedProbability, twoSidedQuantile } from './student-t.ts'

/**
 * Compares the metric of two variations.
 *
 * - `frequentist`: Welch's t test for independent samples (Welch 1947). A test that is repeated until its first
 *   significant result gives more false positives than its level.
 * - `sequential`: asymptotic confidence sequence, see {@link sequentialFactor}. It stays valid however often the
 *   results are read.
 * - `bayesian`: Beta distributions for proportions, and otherwise normal distributions with a flat prior.
 *
 * The interval of the relative difference is that of the delta method, except for proportions with the Bayesian method,
 * where it is exact.
 *
 * @param control estimate of the variation with which others are compared.
 * @param treatment estimate of the variation that is judged.
 * @param options method, level, direction and tuning.
 * @returns undefined if a variation has fewer units than `minimumUnits`.
 * @throws RangeError for an option out of its range.
 * @example
 * ```ts
 * import { compareMeans, proportionOf } from '@halyard/core/insights'
 *
 * const control = proportionOf({ units: 1_000, sum: 100, sumOfSquares: 100 })
 * const treatment = proportionOf({ units: 1_000, sum: 150, sumOfSquares: 150 })
 * const comparison = control && treatment && compareMeans(control, treatment, { method: 'frequentist' })
 * console.log(comparison?.verdict) // better
 * ```
 */
export function compareMeans<const Method extends ComparisonMethod>(
  control: MetricEstimate,
  treatment: MetricEstimate,
  options: ComparisonOptions & { readonly method: Method },
): Extract<Comparison, { readonly method: Method }> | undefined
export function compareMeans(
  control: MetricEstimate,
  treatment: MetricEstimate,
  options: ComparisonOptions,
): Comparison | undefined {
  const { method, level = 0.05, direction = 'increase', tuningUnits = defaultTuningUnits } = options
  const { minimumUnits = method === 'sequential' ? defaultMinimumUnits : 2 } = options
  if (!(level > 0 && level < 1)) throw new RangeError(`\`level\` must be between 0 and 1: ${level}`)
  if (!(tuningUnits > 0)) throw new RangeError(`\`tuningUnits\` must be above 0: ${tuningUnits}`)
  if (Math.min(control.units, treatment.units) < Math.max(minimumUnits, 2)) return undefined
  if (method === 'bayesian') return bayesianComparison(control, treatment, { level, direction, prior: options.prior })

  const difference = treatment.value - control.value
  const error = Math.hypot(control.standardError, treatment.standardError)
  const z = difference === 0 ? 0 : difference / error
  if (method === 'frequentist') {
    const freedom = error === 0 ? 1 : degreesOfFreedom(control, treatment)
    const factor = twoSidedQuantile(level, freedom)
    return { method, pValue: twoSidedProbability(z, freedom), ...intervals({ control, treatment }, factor, direction) }
  }
  const units = evenUnits(control.units, treatment.units)
  const factor = sequentialFactor(units, { level, tuningUnits })
  const pValue = sequentialPValue(z, units, { level, tuningUnits })
  return { method, pValue, ...intervals({ control, treatment }, factor, direction) }
}

/** Returns the degrees of freedom of Welch and Satterthwaite. */
function degreesOfFreedom(control: MetricEstimate, treatment: MetricEstimate): number {
  const controlVariance = control.standardError ** 2
  const treatmentVariance = treatment.standardError ** 2
  return (
    (controlVariance + treatmentVariance) ** 2 /
    (controlVariance ** 2 / (control.units - 1) + treatmentVariance ** 2 / (treatment.units - 1))
  )
}
