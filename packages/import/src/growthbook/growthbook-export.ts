import type { Loss } from '../moved-project.ts'
import type { GrowthBookDefinition, GrowthBookGroup } from './payload.ts'

/** What is evaluated in an environment. */
export interface PlacedPayload {
  readonly environmentKey: string
  /** In the order of the export. A feature that is off is there without its definition. */
  readonly features: ReadonlyMap<string, PlacedFeature>
  readonly savedGroups: Readonly<Record<string, GrowthBookGroup>>
}

export interface PlacedFeature {
  readonly definition: GrowthBookDefinition
  /** Whether an SDK gets a value at all. */
  readonly on: boolean
  /** How many rules there are that the export does not tell, as the feature is off. */
  readonly untold?: number
  /** Where it stands in the export. */
  readonly at: string
}

/** What is told of a feature besides what is evaluated. */
export interface FeatureCard {
  readonly description?: string
  readonly tags: readonly string[]
  readonly archived: boolean
  readonly losses: readonly Omit<Loss, 'flag'>[]
}

export interface GrowthBookExport {
  readonly ok: true
  readonly payloads: readonly PlacedPayload[]
  readonly cards: ReadonlyMap<string, FeatureCard>
  /** Of the export as a whole. */
  readonly losses: readonly Loss[]
}
