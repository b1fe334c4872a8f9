import { pointer } from '../read-shape.ts'
import type { FlagsmithIdentity, FlagsmithSegment, FlagsmithState } from './document.ts'
import type { LocatedDocument } from './documents.ts'

/** A feature, with all its states in the environments. */
export interface FlagsmithFeature {
  readonly name: string
  readonly environments: readonly FeatureInEnvironment[]
}

export interface FeatureInEnvironment {
  readonly environmentKey: string
  /** JSON pointer to its state in the export. */
  readonly at: string
  readonly state: FlagsmithState
  /** True when client-side SDKs do not receive the feature. */
  readonly serverOnly: boolean
  readonly overrides: readonly { readonly segment: FlagsmithSegment; readonly state: FlagsmithState }[]
  readonly identities: readonly { readonly identity: FlagsmithIdentity; readonly state: FlagsmithState }[]
}

/** Returns every feature of the environments. */
export function featuresIn(documents: readonly LocatedDocument[]): FlagsmithFeature[] {
  const names = documents.flatMap(({ document }) => document.feature_states.map(({ feature }) => feature.name))
  return [...new Set(names)].map((name) => ({
    name,
    environments: documents.flatMap((item) => environmentsOf(item, name)),
  }))
}

/** Returns all states that a feature has in an environment. */
export function statesAt({ state, overrides, identities }: FeatureInEnvironment): FlagsmithState[] {
  return [state, ...overrides.map((item) => item.state), ...identities.map((item) => item.state)]
}

function environmentsOf({ document, environmentKey, at }: LocatedDocument, name: string): FeatureInEnvironment[] {
  const isOfFeature = ({ feature }: FlagsmithState) => feature.name === name
  const index = document.feature_states.findIndex(isOfFeature)
  const state = document.feature_states[index]
  if (!state) return []
  const { segments, server_key_only_feature_ids: hidden } = document.project
  const overrides = (segments ?? []).flatMap((segment) =>
    (segment.feature_states ?? []).filter(isOfFeature).map((override) => ({ segment, state: override })),
  )
  const identities = (document.identity_overrides ?? []).flatMap((identity) =>
    (identity.identity_features ?? []).filter(isOfFeature).map((override) => ({ identity, state: override })),
  )
  const serverOnly = (hidden ?? []).includes(state.feature.id)
  return [{ environmentKey, at: pointer(at, 'feature_states', index), state, serverOnly, overrides, identities }]
}
