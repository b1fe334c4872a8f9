import { series } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'

export const impactSizes = ['none', 'small', 'medium', 'large'] as const

/** What tells the impact: evaluations that were counted, that the change is for everybody, or nothing as yet. */
export const impactReasons = ['evaluations', 'global', 'waiting'] as const

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
  /** The share of contexts that get another variation, percent. */
  readonly impactPercentage?: number
  readonly impactReason?: (typeof impactReasons)[number]
  readonly hasExperiments: boolean
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The size of an impact by its percentage: less than 20 percent is small, more than 80 large. */
export function impactSizeOf(percentage: number): (typeof impactSizes)[number] {
  if (percentage === 0) return 'none'
  if (percentage < 20) return 'small'
  return percentage <= 80 ? 'medium' : 'large'
}

/** Events that were told, labelled by flag. What callers change themselves is a series of the flags. */
export const flagEvents = series({ name: 'flag-events', address: 'proj/{projectKey}:env/{environmentKey}' })

/** An event as the series keeps it. */
export function storedEvent({ externalId, at, flagKey, ...body }: FlagEvent): Sample {
  return { id: externalId, at, label: flagKey, values: [body.hasExperiments ? 1 : 0], body }
}
