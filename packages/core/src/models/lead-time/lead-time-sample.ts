import { leadTimeColumns } from '../../rules/lead-time/index.ts'
import { series } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'

/** One change that reached an environment by a deployment (D25); moments in integer milliseconds, UTC. */
export interface LeadTimeSample {
  /** The change as its own system calls it; the same id is the same sample. */
  readonly externalId: string
  readonly applicationKey: string
  /** First commit. */
  readonly startedAt: number
  /** When it was put up for review, if it was. */
  readonly openedAt?: number
  readonly mergedAt: number
  readonly deployStartedAt?: number
  readonly deployedAt: number
}

/** The samples of an environment, labelled by application. */
export const leadTimeSamples = series({ name: 'lead-time', address: 'proj/{projectKey}:env/{environmentKey}' })

/** Columns that a scan must ask for to see all moments. */
export const columnCount = Object.keys(leadTimeColumns).length

/** A sample as the series keeps it; its numbers stand in the order of `leadTimeColumns`. */
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
