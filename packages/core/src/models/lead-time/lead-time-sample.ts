import { leadTimeColumns } from '../../rules/lead-time/index.ts'
import { series } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'

/**
 * A change that reached an environment by a deployment
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time). Times are integers in milliseconds, UTC.
 */
export interface LeadTimeSample {
  /** Id of the change in its own system. Samples with the same id are the same sample. */
  readonly externalId: string
  readonly applicationKey: string
  /** Time of the first commit. */
  readonly startedAt: number
  /** Time at which the review of the change was requested; undefined when no review was requested. */
  readonly openedAt?: number
  readonly mergedAt: number
  readonly deployStartedAt?: number
  readonly deployedAt: number
}

/** The samples of an environment, labeled by application. */
export const leadTimeSamples = series({ name: 'lead-time', address: 'proj/{projectKey}:env/{environmentKey}' })

/** Number of columns that a scan must read to get all times. */
export const columnCount = Object.keys(leadTimeColumns).length

/** Returns a sample in the form in which the series stores it. Its values are in the order of `leadTimeColumns`. */
export function storedSample(sample: LeadTimeSample): Sample {
  const {
    externalId,
    applicationKey,
    startedAt,
    openedAt = null,
    mergedAt,
    deployStartedAt = null,
    deployedAt,
  } = sample
  return {
    id: externalId,
    at: deployedAt,
    label: applicationKey,
    values: [startedAt, openedAt, mergedAt, deployStartedAt],
    body: null,
  }
}
