import { firstAtOrAfter } from './buckets.ts'
import { type DurationSummary, summaryOf } from './duration-summary.ts'
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
  /** Undefined if the summary contains the samples of all applications. */
  readonly application: string | undefined
  readonly summary: LeadTimeSummary
}

/** Summary of one day of UTC, as a whole and by hour, for one application or for all together. */
export interface SummarisedDay {
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
export function summariseDay(samples: LeadTimeSamples, start: number): SummarisedDay[] {
  if (samples.at.length === 0) return []
  const ofOne = samples.labels.map((application) =>
    summarised(onlyApplications(samples, [application]), start, application),
  )
  return [summarised(samples, start, undefined), ...ofOne]
}

export function stageSummary({ stages: all }: LeadTimeSummary, stage: Stage): DurationSummary {
  return all[stages.indexOf(stage)]!
}

function summarised(samples: LeadTimeSamples, start: number, application: string | undefined): SummarisedDay {
  const { at } = samples
  const hours = Array.from({ length: 24 }, (_, hour): LeadTimeSummary | undefined => {
    const first = firstAtOrAfter(at, start + hour * hourMs, 0)
    const last = firstAtOrAfter(at, start + (hour + 1) * hourMs, first)
    return first === last ? undefined : summaryBetween(samples, first, last)
  })
  return { application, day: summaryBetween(samples, 0, at.length), hours }
}

function summaryBetween(samples: LeadTimeSamples, first: number, last: number): LeadTimeSummary {
  const room = new Float64Array(last - first)
  const summaries = stages.map((stage) => {
    const size = collectDurations(columnsOf(stage, samples), first, last, room, 0)
    return summaryOf(room.subarray(0, size))
  })
  return { samples: last - first, stages: summaries }
}
