import * as v from 'valibot'
import {
  type AIModelConfig,
  type AIModelConfigKeys,
  aiModelConfigs,
} from '../../models/ai-model-configs/ai-model-config.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, anyObject, jsonObject, links, list, name, tags } from '../../operation/schema.ts'

const cost = () => v.pipe(v.number(), v.finite('must be finite'), v.minValue(0, 'must not be negative'))

/** Properties of a model config that a caller may update. */
export const aiModelConfigPatch = v.strictObject({
  name: v.optional(name()),
  id: v.optional(name()),
  provider: v.optional(name()),
  icon: v.optional(name()),
  params: v.optional(jsonObject()),
  customParams: v.optional(jsonObject()),
  tags: v.optional(tags()),
  costPerInputToken: v.optional(cost()),
  costPerOutputToken: v.optional(cost()),
})

const aiModelConfigObject = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  id: v.string(),
  provider: v.optional(v.string()),
  icon: v.optional(v.string()),
  params: anyObject(),
  customParams: anyObject(),
  tags: list(v.string()),
  costPerInputToken: v.optional(v.number()),
  costPerOutputToken: v.optional(v.number()),
  version: v.number(),
  createdAt: v.number(),
  global: v.boolean(),
  isRestricted: v.boolean(),
  _access: v.optional(accessDetails()),
})

/** An AI model config in a response. */
export interface AIModelConfigResponse extends v.InferOutput<typeof aiModelConfigObject> {}

export const aiModelConfigResponse: v.GenericSchema<AIModelConfigResponse> = aiModelConfigObject

/** Serializes a model config, or one of its earlier revisions. */
export async function serializeAIModelConfig(
  context: ReadContext,
  config: AIModelConfig,
  { projectKey, modelConfigKey }: AIModelConfigKeys,
): Promise<AIModelConfigResponse> {
  const { version, revision, holds, restricted, ...properties } = config
  const parent = path`/api/v2/projects/${projectKey}/ai-configs/model-configs`
  return {
    ...properties,
    _links: selfAndParent(`${parent}${path`/${config.key}`}`, parent),
    version: revision,
    // Every model config belongs to one project; there are no built-in ones.
    global: false,
    isRestricted: restricted,
    _access: await context.access(aiModelConfigs, { projectKey, modelConfigKey }, config),
  }
}
