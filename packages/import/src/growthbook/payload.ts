import * as v from 'valibot'

const condition = v.record(v.string(), v.unknown())
const range = v.tuple([v.number(), v.number()])

const ruleShape = v.looseObject({
  id: v.nullish(v.string()),
  condition: v.nullish(condition),
  parentConditions: v.nullish(
    v.array(v.looseObject({ id: v.string(), condition: v.nullish(condition), gate: v.nullish(v.boolean()) })),
  ),
  force: v.optional(v.unknown()),
  variations: v.nullish(v.array(v.unknown())),
  weights: v.nullish(v.array(v.number())),
  coverage: v.nullish(v.number()),
  range: v.nullish(range),
  ranges: v.nullish(v.array(range)),
  hashAttribute: v.nullish(v.string()),
  fallbackAttribute: v.nullish(v.string()),
  minBucketVersion: v.nullish(v.number()),
  namespace: v.nullish(v.tuple([v.string(), v.number(), v.number()])),
  filters: v.nullish(
    v.array(v.looseObject({ attribute: v.nullish(v.string()), seed: v.nullish(v.string()), ranges: v.array(range) })),
  ),
  meta: v.nullish(
    v.array(
      v.looseObject({
        key: v.nullish(v.string()),
        name: v.nullish(v.string()),
        passthrough: v.nullish(v.boolean()),
      }),
    ),
  ),
  key: v.nullish(v.string()),
  name: v.nullish(v.string()),
  contextualBanditRef: v.nullish(v.string()),
  contextualVariations: v.nullish(v.array(v.unknown())),
})

/** A feature as an SDK evaluates it. */
export const definitionShape = v.looseObject({
  defaultValue: v.optional(v.unknown()),
  rules: v.nullish(v.array(ruleShape)),
})

/** Lists of values, by id; the oldest form is a plain list. */
export const savedGroupShape = v.union([
  v.array(v.union([v.string(), v.number()])),
  v.looseObject({
    type: v.string(),
    attributeKey: v.nullish(v.string()),
    values: v.nullish(v.array(v.union([v.string(), v.number()]))),
    condition: v.nullish(v.union([condition, v.string()])),
  }),
])

/** The payload that an SDK receives for an environment. */
export const payloadShape = v.looseObject({
  features: v.record(v.string(), definitionShape),
  savedGroups: v.nullish(v.record(v.string(), savedGroupShape)),
})

const restEnvironmentShape = v.looseObject({
  enabled: v.boolean(),
  defaultValue: v.nullish(v.string()),
  rules: v.nullish(v.array(v.unknown())),
  definition: v.nullish(v.string()),
})

/** A feature as the management API returns it, with the definitions that SDKs evaluate in each environment. */
export const restFeatureShape = v.looseObject({
  id: v.string(),
  description: v.nullish(v.string()),
  archived: v.nullish(v.boolean()),
  valueType: v.picklist(['boolean', 'string', 'number', 'json']),
  defaultValue: v.nullish(v.string()),
  tags: v.nullish(v.array(v.string())),
  environments: v.record(v.string(), restEnvironmentShape),
})

export const restSavedGroupShape = v.looseObject({
  id: v.string(),
  type: v.nullish(v.string()),
  attributeKey: v.nullish(v.string()),
  values: v.nullish(v.array(v.union([v.string(), v.number()]))),
  condition: v.nullish(v.string()),
})

export type GrowthBookRule = v.InferOutput<typeof ruleShape>
export type GrowthBookDefinition = v.InferOutput<typeof definitionShape>
export type GrowthBookGroup = v.InferOutput<typeof savedGroupShape>
export type GrowthBookCondition = Readonly<Record<string, unknown>>
export type RestFeature = v.InferOutput<typeof restFeatureShape>
