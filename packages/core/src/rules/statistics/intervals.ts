import type { ComparisonBase, Direction, IntervalEstimate } from './comparison.ts'
import type { MetricEstimate } from './metric-estimate.ts'

/** The estimates of the control and of a treatment. */
export interface ComparedEstimates {
  /** Estimate of the control. */
  readonly control: MetricEstimate
  /** Estimate of the treatment. */
  readonly treatment: MetricEstimate
}

/**
 * Returns both differences with normal intervals of `factor` standard errors.
 *
 * @param factor half-width of the intervals in standard errors.
 * @param direction the desired change.
 */
export function intervals(
  { control, treatment }: ComparedEstimates,
  factor: number,
  direction: Direction,
): ComparisonBase {
  const difference = intervalAround(
    treatment.value - control.value,
    factor * Math.hypot(control.standardError, treatment.standardError),
  )
  const verdict = verdictOf(difference, direction)
  const size = Math.abs(control.value)
  const error = Math.hypot(treatment.standardError, (treatment.value / size) * control.standardError) / size
  const relativeDifference = intervalAround(difference.estimate / size, factor * error)
  // The limits are not finite when the control is 0, or so small that the quotient exceeds the largest number.
  return Number.isFinite(relativeDifference.lower) && Number.isFinite(relativeDifference.upper)
    ? { difference, relativeDifference, verdict }
    : { difference, verdict }
}

function intervalAround(estimate: number, halfWidth: number): IntervalEstimate {
  return { estimate, lower: estimate - halfWidth, upper: estimate + halfWidth }
}

/** Returns `better` or `worse` if the whole interval lies on one side of 0. */
export function verdictOf({ lower, upper }: IntervalEstimate, direction: Direction): ComparisonBase['verdict'] {
  if (lower > 0) return direction === 'increase' ? 'better' : 'worse'
  if (upper < 0) return direction === 'increase' ? 'worse' : 'better'
  return 'inconclusive'
}
