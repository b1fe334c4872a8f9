import { firstAtOrAfter } from './buckets.ts'
import { type DurationSummary, summarizeDurations } from './duration-summary.ts'
import { type LeadTimeSamples, onlyApplications } from './samples.ts'
import { collectDurations, columnsOf, type Stage, stages } from './stages.ts'

/** Summary of the samples in a range of time. Plain JSON, as it is stored. */
export interface LeadTimeSummary {
  /** Number of samples, including those without a duration in any stage. */
  readonly samples: number
  /** In the order of `stages`. */
  readonly stages: readonly DurationSummary[]
}

/** A summary with its position in a chart. */
export interface LeadTimePart {
  /** Start of the range, ms. */
  readonly at: number
  /** Key of the application; undefined if the summary contains the samples of all applications. */
  readonly application: string | undefined
  readonly summary: LeadTimeSummary
}

/** Summary of one day of UTC, as a whole and by hour, for one application or for all together. */
export interface DaySummary {
  readonly application: string | undefined
  readonly day: LeadTimeSummary
  /** 24 hours from midnight on; undefined for an hour without samples. */
  readonly hours: readonly (LeadTimeSummary | undefined)[]
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/**
 * Summarizes the samples of one day of UTC: all together, and those of each application.
 *
 * @param samples all samples of the day, and no others, in order of time.
 * @param start midnight, ms.
 */
export function summarizeDay(samples: LeadTimeSamples, start: number): DaySummary[] {
  if (samples.at.length === 0) return []
  const byApplication = samples.labels.map((application) =>
    summarizeHours(onlyApplications(samples, [application]), start, application),
  )
  return [summarizeHours(samples, start, undefined), ...byApplication]
}

export function stageSummary({ stages: all }: LeadTimeSummary, stage: Stage): DurationSummary {
  return all[stages.indexOf(stage)]!
}

function summarizeHours(samples: LeadTimeSamples, start: number, application: string | undefined): DaySummary {
  const { at: times } = samples
  const hours = Array.from({ length: 24 }, (_, hour): LeadTimeSummary | undefined => {
    const first = firstAtOrAfter(times, start + hour * hourMs, 0)
    const last = firstAtOrAfter(times, start + (hour + 1) * hourMs, first)
    return first === last ? undefined : summaryBetween(samples, first, last)
  })
  return { application, day: summaryBetween(samples, 0, times.length), hours }
}

function summaryBetween(samples: LeadTimeSamples, first: number, last: number): LeadTimeSummary {
  const buffer = new Float64Array(last - first)
  const summaries = stages.map((stage) => {
    const size = collectDurations(columnsOf(stage, samples), { first, last }, buffer, 0)
    return summarizeDurations(buffer.subarray(0, size))
  })
  return { samples: last - first, stages: summaries }
}
