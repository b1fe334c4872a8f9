import * as v from 'valibot'

const scalar = v.nullish(v.union([v.string(), v.number(), v.boolean()]))
const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100))
const name = v.pipe(v.string(), v.minLength(1))

const variantShape = v.looseObject({
  id: v.nullish(v.number()),
  percentage_allocation: percentage,
  multivariate_feature_option: v.looseObject({ value: scalar }),
})

const featureStateShape = v.looseObject({
  feature: v.looseObject({ id: v.number(), name }),
  enabled: v.boolean(),
  feature_state_value: scalar,
  feature_segment: v.nullish(v.looseObject({ priority: v.nullish(v.number()) })),
  multivariate_feature_state_values: v.nullish(v.array(variantShape)),
})

const conditionShape = v.looseObject({
  operator: v.string(),
  property_: v.nullish(v.string()),
  property: v.nullish(v.string()),
  value: v.nullish(v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])),
})

/** A rule of a segment: its type combines its conditions and its nested rules. */
export interface FlagsmithRule {
  readonly type: 'ALL' | 'ANY' | 'NONE'
  readonly conditions?: readonly FlagsmithCondition[] | null | undefined
  readonly rules?: readonly FlagsmithRule[] | null | undefined
}

const ruleShape: v.GenericSchema<FlagsmithRule> = v.looseObject({
  type: v.picklist(['ALL', 'ANY', 'NONE']),
  conditions: v.nullish(v.array(conditionShape)),
  rules: v.nullish(v.array(v.lazy(() => ruleShape))),
})

const segmentShape = v.looseObject({
  id: v.number(),
  name: v.string(),
  rules: v.array(ruleShape),
  feature_states: v.nullish(v.array(featureStateShape)),
})

const identityShape = v.looseObject({
  identifier: name,
  identity_features: v.nullish(v.array(featureStateShape)),
  identity_traits: v.nullish(v.array(v.unknown())),
})

/** The environment document that a server-side SDK receives. */
export const documentShape = v.looseObject({
  name: v.nullish(v.string()),
  project: v.looseObject({
    segments: v.nullish(v.array(segmentShape)),
    server_key_only_feature_ids: v.nullish(v.array(v.number())),
  }),
  feature_states: v.array(featureStateShape),
  identity_overrides: v.nullish(v.array(identityShape)),
})

/** A feature of a feature export, which contains no segments and no identities. */
export const exportedFeatureShape = v.looseObject({
  name,
  enabled: v.boolean(),
  value: scalar,
  is_server_key_only: v.nullish(v.boolean()),
  multivariate: v.nullish(v.array(v.looseObject({ percentage_allocation: percentage, value: scalar }))),
})

export type FlagsmithCondition = v.InferOutput<typeof conditionShape>
export type FlagsmithDocument = v.InferOutput<typeof documentShape>
export type FlagsmithState = v.InferOutput<typeof featureStateShape>
export type FlagsmithSegment = v.InferOutput<typeof segmentShape>
export type FlagsmithIdentity = v.InferOutput<typeof identityShape>
export type FlagsmithValue = string | number | boolean | null | undefined
type ExportedFeature = v.InferOutput<typeof exportedFeatureShape>

/** Returns a feature export as a document of the environment from which it was exported. */
export function documentOf(features: readonly ExportedFeature[]): FlagsmithDocument {
  const serverOnly = features.flatMap(({ is_server_key_only }, index) => (is_server_key_only ? [index + 1] : []))
  return {
    id: 1,
    api_key: 'export',
    project: { id: 1, name: 'export', segments: [], server_key_only_feature_ids: serverOnly },
    feature_states: features.map(stateOf),
  }
}

function stateOf({ name, enabled, value, multivariate }: ExportedFeature, index: number): FlagsmithState {
  return {
    feature: { id: index + 1, name },
    enabled,
    django_id: index + 1,
    feature_state_value: value,
    multivariate_feature_state_values: (multivariate ?? []).map((variant, variantIndex) => ({
      id: variantIndex + 1,
      percentage_allocation: variant.percentage_allocation,
      multivariate_feature_option: { id: variantIndex + 1, value: variant.value },
    })),
  }
}
