import { series } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'

export const impactSizes = ['none', 'small', 'medium', 'large'] as const

/** What an outside system tells about a flag in an environment, e.g. that an experiment began. */
export interface FlagEvent {
  readonly externalId: string
  readonly flagKey: string
  readonly eventType: string
  /** Integer ms, UTC. */
  readonly at: number
  readonly applicationKey?: string
  /** By how much it changed who gets which variation. */
  readonly impactSize?: (typeof impactSizes)[number]
  readonly hasExperiments: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Events that were told, labelled by flag. What callers change themselves is a series of the flags. */
export const flagEvents = series({ name: 'flag-events', address: 'proj/{projectKey}:env/{environmentKey}' })

/** An event as the series keeps it. */
export function storedEvent({ externalId, at, flagKey, ...body }: FlagEvent): Sample {
  return { id: externalId, at, label: flagKey, values: [body.hasExperiments ? 1 : 0], body }
}
