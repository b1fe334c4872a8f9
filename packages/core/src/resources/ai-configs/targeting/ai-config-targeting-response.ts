import * as v from 'valibot'
import { type AIConfigKeys, aiConfigs, type VariationRef } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { accessDetails, links, list } from '../../../operation/schema.ts'
import { serveResponse, targetingRuleResponse, targetResponse } from '../../targeting/targeting-schema.ts'
import type { TargetingState } from './targeting-state.ts'

const environmentResponse = v.object({
  enabled: v.boolean(),
  targets: list(targetResponse),
  contextTargets: list(targetResponse),
  rules: list(targetingRuleResponse),
  fallthrough: v.object(serveResponse),
  offVariation: v.optional(v.number()),
  trackEvents: v.boolean(),
  trackEventsFallthrough: v.boolean(),
  lastModified: v.number(),
  _version: v.number(),
  _environmentName: v.string(),
})

export const aiConfigTargetingResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  tags: list(v.string()),
  _version: v.number(),
  createdAt: v.number(),
  variations: list(
    v.object({
      _id: v.string(),
      name: v.string(),
      description: v.optional(v.string()),
      value: v.object({ variationKey: v.string() }),
    }),
  ),
  defaults: v.object({ onVariation: v.number(), offVariation: v.number() }),
  environments: v.record(v.string(), environmentResponse),
  _access: accessDetails(),
})

/** Returns the value of a variation, by which an instruction can refer to it. */
export function variationValue({ key }: VariationRef): { readonly variationKey: string } {
  return { variationKey: key }
}

/** Serializes the targeting of a config in all environments of its state. */
export async function serializeTargeting(
  context: ReadContext,
  { projectKey, configKey }: AIConfigKeys,
  { config, variations, environments, targetings }: TargetingState,
): Promise<v.InferOutput<typeof aiConfigTargetingResponse>> {
  const { key, name, tags, version, createdAt, defaults } = config
  const parent = path`/api/v2/projects/${projectKey}/ai-configs/${configKey}`
  return {
    _links: selfAndParent(`${parent}/targeting`, parent),
    key,
    name,
    tags,
    _version: version,
    createdAt,
    variations: variations.map(({ id, name: variationName, description, ...variation }) => ({
      _id: id,
      name: variationName,
      ...(description === undefined ? {} : { description }),
      value: variationValue({ _id: id, key: variation.key }),
    })),
    defaults,
    environments: Object.fromEntries(
      environments.map((environment) => [
        environment.key,
        serializeInEnvironment(environment.name, targetings.get(environment.key) as AIConfigTargeting),
      ]),
    ),
    _access: await context.access(aiConfigs, { projectKey, configKey }, config),
  }
}

function serializeInEnvironment(name: string, targeting: AIConfigTargeting): v.InferOutput<typeof environmentResponse> {
  const { version, environmentKey, on, ...properties } = targeting
  // Versions in responses start at 1, also when the configuration is not stored yet.
  return { ...properties, enabled: on, _version: version + 1, _environmentName: name }
}
