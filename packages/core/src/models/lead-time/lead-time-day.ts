import { dayMs, type LeadTimeSummary } from '../../rules/lead-time/index.ts'
import { documents, keySets, type Versioned } from '../../storage/collection.ts'

/**
 * Summaries of past days (docs/decisions/0039-summarize-lead-times-by-day.md). The summary of a day that is marked open
 * may lack some samples, so such a day is read from its samples. All other days are read from their summary.
 */

/** Summary of the samples of one day, for one application or for all together. */
export interface LeadTimeDay extends Versioned {
  readonly summary: LeadTimeSummary
}

/** Summaries of the hours of one day. */
export interface LeadTimeHours extends Versioned {
  readonly hours: readonly (LeadTimeSummary | null)[]
}

/** Marks a day to which samples were added in an epoch. */
export interface OpenDay extends Versioned {
  readonly day: number
  readonly epoch: number
  /** Epochs start again when an environment is created again with the same key. */
  readonly environmentId: string
}

/**
 * The current epoch of marks. A commit that adds samples requires that the epoch is unchanged, and summarizing begins
 * by starting a new epoch. Therefore, when a mark has an earlier epoch, all samples of its day are stored already.
 */
export interface LeadTimeEpoch extends Versioned {
  readonly epoch: number
}

export const leadTimeDays = documents<LeadTimeDay>()({
  name: 'lead-time-day',
  address: 'proj/{projectKey}:env/{environmentKey}:lead-time-day/{part}',
})

export const leadTimeHours = documents<LeadTimeHours>()({
  name: 'lead-time-hours',
  address: 'proj/{projectKey}:env/{environmentKey}:lead-time-hours/{part}',
})

export const openDays = documents<OpenDay>()({
  name: 'lead-time-open-day',
  address: 'proj/{projectKey}:env/{environmentKey}:lead-time-open-day/{mark}',
  fields: ({ day, epoch }) => ({ day, epoch }),
})

export const leadTimeEpochs = documents<LeadTimeEpoch>()({
  name: 'lead-time-epoch',
  address: 'proj/{projectKey}:env/{environmentKey}:lead-time-epoch/current',
})

/** The applications that have summaries in the environment. */
export const summarizedApplications = keySets({
  name: 'lead-time-applications',
  address: 'proj/{projectKey}:env/{environmentKey}',
})

/** Returns the number of a UTC day; day 0 starts at 0 ms. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs)
}

/** Returns the key of a day's summary. Applications have non-empty keys, so the empty string means all applications. */
export function partOf(day: number, application: string | undefined): string {
  return `${day} ${application ?? ''}`
}

/** Returns the key of a mark. */
export function markOf({ day, epoch, environmentId }: Omit<OpenDay, 'version'>): string {
  return `${day} ${epoch} ${environmentId}`
}
