import type { Loss } from '../imported-project.ts'
import type { GrowthBookDefinition, GrowthBookGroup } from './payload.ts'

/** The features that are evaluated in an environment. */
export interface EnvironmentPayload {
  readonly environmentKey: string
  /** Features in the order of the export. A feature that is off has an empty definition. */
  readonly features: ReadonlyMap<string, FeatureAtPath>
  readonly savedGroups: Readonly<Record<string, GrowthBookGroup>>
}

export interface FeatureAtPath {
  readonly definition: GrowthBookDefinition
  /** True when SDKs receive the feature. */
  readonly on: boolean
  /** Number of rules that the export omits, because the feature is off. */
  readonly omittedRules?: number
  /** JSON pointer to the position of the feature in the export. */
  readonly path: string
}

/** Properties of a feature that do not affect evaluation. */
export interface FeatureMetadata {
  readonly description?: string
  readonly tags: readonly string[]
  readonly archived: boolean
  readonly losses: readonly Omit<Loss, 'flag'>[]
}

export interface GrowthBookExport {
  readonly ok: true
  readonly payloads: readonly EnvironmentPayload[]
  readonly metadata: ReadonlyMap<string, FeatureMetadata>
  /** Losses of the export as a whole. */
  readonly losses: readonly Loss[]
}
