import type { Loss } from '../imported-project.ts'
import type { GrowthBookDefinition, GrowthBookGroup } from './payload.ts'

/** The features that are evaluated in an environment. */
export interface PlacedPayload {
  readonly environmentKey: string
  /** In the order of the export. A feature that is off has an empty definition. */
  readonly features: ReadonlyMap<string, PlacedFeature>
  readonly savedGroups: Readonly<Record<string, GrowthBookGroup>>
}

export interface PlacedFeature {
  readonly definition: GrowthBookDefinition
  /** True when SDKs receive the feature. */
  readonly on: boolean
  /** Number of rules that the export omits, because the feature is off. */
  readonly untold?: number
  /** JSON pointer to its position in the export. */
  readonly at: string
}

/** Properties of a feature that do not affect evaluation. */
export interface FeatureCard {
  readonly description?: string
  readonly tags: readonly string[]
  readonly archived: boolean
  readonly losses: readonly Omit<Loss, 'flag'>[]
}

export interface GrowthBookExport {
  readonly ok: true
  readonly payloads: readonly PlacedPayload[]
  readonly metadata: ReadonlyMap<string, FeatureCard>
  /** Losses of the export as a whole. */
  readonly losses: readonly Loss[]
}
