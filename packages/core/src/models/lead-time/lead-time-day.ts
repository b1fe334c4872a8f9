import { dayMs, type LeadTimeSummary } from '../../rules/lead-time/index.ts'
import { documents, keySets, type Versioned } from '../../storage/collection.ts'

/**
 * Summaries of past days (docs/decisions/0039-summarize-lead-times-by-day.md). A day that is marked open has samples
 * that its summary may lack, so it is read from the samples; all others are read from their summary.
 */

/** The samples of one day, of one application or of all together. */
export interface LeadTimeDay extends Versioned {
  readonly summary: LeadTimeSummary
}

/** The same, hour by hour. */
export interface LeadTimeHours extends Versioned {
  readonly hours: readonly (LeadTimeSummary | null)[]
}

/** Says that samples of a day were added in an epoch. */
export interface OpenDay extends Versioned {
  readonly day: number
  readonly epoch: number
  /** Epochs of an environment that is made again under the same key begin anew. */
  readonly environmentId: string
}

/**
 * Which epoch marks are made in now. Whoever adds samples stands on it, and whoever summarises begins a new one first:
 * so a mark of an earlier epoch is about samples that are all there.
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

/** Applications that a summary of the environment names. */
export const summarisedApplications = keySets({
  name: 'lead-time-applications',
  address: 'proj/{projectKey}:env/{environmentKey}',
})

/** The keys that lead to an environment. */
export interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

/** The number of a day of UTC; day 0 began at 0 ms. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs)
}

/** The key of a day's summary. No application is called nothing, so that stands for all. */
export function partOf(day: number, application: string | undefined): string {
  return `${day} ${application ?? ''}`
}

/** The key of a mark. */
export function markOf({ day, epoch, environmentId }: Omit<OpenDay, 'version'>): string {
  return `${day} ${epoch} ${environmentId}`
}
