import { series } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'

export const impactSizes = ['none', 'small', 'medium', 'large'] as const

/** Source of the impact: counted evaluations, a change that affects all contexts, or not known yet. */
export const impactReasons = ['evaluations', 'global', 'waiting'] as const

/** An event about a flag in an environment that an external system reports, for example the start of an experiment. */
export interface FlagEvent {
  readonly externalId: string
  readonly flagKey: string
  readonly eventType: string
  /** Integer ms, UTC. */
  readonly at: number
  readonly applicationKey?: string
  /** Size of the change of the served variations. */
  readonly impactSize?: (typeof impactSizes)[number]
  /** Percentage of contexts that get another variation. */
  readonly impactPercentage?: number
  readonly impactReason?: (typeof impactReasons)[number]
  readonly hasExperiments: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Returns the size of an impact by its percentage: small below 20 percent, large above 80. */
export function impactSizeOf(percentage: number): (typeof impactSizes)[number] {
  if (percentage === 0) return 'none'
  if (percentage < 20) return 'small'
  return percentage <= 80 ? 'medium' : 'large'
}

/**
 * Events that callers report, labeled by flag. Changes that are made through the API are in another series,
 * `flag-changes`.
 */
export const flagEvents = series({ name: 'flag-events', address: 'proj/{projectKey}:env/{environmentKey}' })

/** Returns an event in the form in which the series stores it. */
export function storedEvent({ externalId, at, flagKey, ...body }: FlagEvent): Sample {
  return { id: externalId, at, label: flagKey, values: [body.hasExperiments ? 1 : 0], body }
}
