import { figuresOf } from '../lead-time/figures.ts'
import { type LeadTimeSamples, onlyApplications } from '../lead-time/samples.ts'
import { collectDurations, columnsOf } from '../lead-time/stages.ts'
import type { Missing } from './rated.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'
import { insightScoreTable } from './score-table.ts'

const day = 86_400_000

/**
 * Outcomes of deployments as columns: the only value column is 1 for a success, 0 for a failure, NaN for other events.
 */
export type DeploymentEnds = Pick<LeadTimeSamples, 'at' | 'labels' | 'label' | 'values'>

/** Keys of the applications whose deployments count; undefined for all. */
export type Applications = readonly string[] | undefined

/** Returns the number of successful deployments per day, and the share of deployments that failed, in a period. */
export function deploymentInputs(
  ends: DeploymentEnds,
  period: ScorePeriod,
  applications: Applications,
): { readonly deploymentFrequency: number; readonly deploymentFailureRate: number | Missing } {
  const { at, values } = applications ? onlyApplications(ends, applications) : ends
  let finished = 0
  let failed = 0
  for (let i = 0; i < at.length; i++) {
    if (!isWithin(period, at[i]!)) continue
    const end = values[0]![i]!
    if (end === 1) finished++
    else if (end === 0) failed++
  }
  const ended = finished + failed
  return {
    deploymentFrequency: finished / (insightScoreTable.periodMs / day),
    deploymentFailureRate: ended === 0 ? 'notCalculated' : failed / ended,
  }
}

/** Returns the median total lead time of a period, ms (D25); `notCalculated` if nothing was deployed. */
export function leadTimeInput(
  samples: LeadTimeSamples,
  period: ScorePeriod,
  applications: Applications,
): number | Missing {
  const wanted = applications ? onlyApplications(samples, applications) : samples
  const first = firstAfter(wanted.at, period.startTime)
  const last = firstAfter(wanted.at, period.endTime)
  const durations = new Float64Array(last - first)
  const size = collectDurations(columnsOf('total', wanted), first, last, durations, 0)
  return size === 0 ? 'notCalculated' : figuresOf(durations.subarray(0, size), true).p50!
}

/** Returns the index of the first time after `time`; the times are ascending. */
function firstAfter(at: Float64Array, moment: number): number {
  const found = at.findIndex((one) => one > moment)
  return found < 0 ? at.length : found
}
