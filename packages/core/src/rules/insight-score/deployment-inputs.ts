import { durationStats } from '../lead-time/duration-stats.ts'
import { type LeadTimeSamples, onlyApplications } from '../lead-time/samples.ts'
import { collectDurations, columnsOf } from '../lead-time/stages.ts'
import type { MissingScore } from './rating.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'
import { insightScoreTable } from './score-table.ts'

const day = 86_400_000

/**
 * Outcomes of deployments as columns: the only value column is 1 for a success, 0 for a failure, NaN for other events.
 */
export type DeploymentOutcomes = Pick<LeadTimeSamples, 'at' | 'labels' | 'label' | 'values'>

/** Keys of the applications whose deployments count; undefined for all. */
export type ApplicationFilter = readonly string[] | undefined

/** Returns the number of successful deployments per day, and the share of deployments that failed, in a period. */
export function deploymentInputs(
  ends: DeploymentOutcomes,
  period: ScorePeriod,
  applications: ApplicationFilter,
): { readonly deploymentFrequency: number; readonly deploymentFailureRate: number | MissingScore } {
  const { at: times, values } = applications ? onlyApplications(ends, applications) : ends
  let finished = 0
  let failed = 0
  for (let i = 0; i < times.length; i++) {
    if (!isWithin(period, times[i]!)) continue
    const end = values[0]![i]!
    if (end === 1) finished++
    else if (end === 0) failed++
  }
  const total = finished + failed
  return {
    deploymentFrequency: finished / (insightScoreTable.periodMs / day),
    deploymentFailureRate: total === 0 ? 'notCalculated' : failed / total,
  }
}

/**
 * Returns the median total lead time of a period, ms
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time); `notCalculated` if nothing was deployed.
 */
export function leadTimeInput(
  samples: LeadTimeSamples,
  period: ScorePeriod,
  applications: ApplicationFilter,
): number | MissingScore {
  const filtered = applications ? onlyApplications(samples, applications) : samples
  const first = firstAfter(filtered.at, period.startTime)
  const last = firstAfter(filtered.at, period.endTime)
  const durations = new Float64Array(last - first)
  const size = collectDurations(columnsOf('total', filtered), { first, last }, durations, 0)
  return size === 0 ? 'notCalculated' : durationStats(durations.subarray(0, size), true).p50!
}

/** Returns the index of the first time after `time`; the times are ascending. */
function firstAfter(times: Float64Array, time: number): number {
  const index = times.findIndex((candidate) => candidate > time)
  return index < 0 ? times.length : index
}
