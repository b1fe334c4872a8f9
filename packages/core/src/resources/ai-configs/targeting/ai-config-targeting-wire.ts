import * as v from 'valibot'
import { type AIConfigKeys, aiConfigs, type VariationPlace } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { accessDetails, links, list } from '../../../operation/schema.ts'
import { serveWire, targetingRuleWire, targetWire } from '../../targeting/targeting-wire.ts'
import type { TargetingState } from './targeting-state.ts'

const environmentWire = v.object({
  enabled: v.boolean(),
  targets: list(targetWire),
  contextTargets: list(targetWire),
  rules: list(targetingRuleWire),
  fallthrough: v.object(serveWire),
  offVariation: v.optional(v.number()),
  trackEvents: v.boolean(),
  trackEventsFallthrough: v.boolean(),
  lastModified: v.number(),
  _version: v.number(),
  _environmentName: v.string(),
})

export const aiConfigTargetingWire = v.object({
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
  environments: v.record(v.string(), environmentWire),
  _access: accessDetails(),
})

/** Returns the value of a variation, by which an instruction can refer to it. */
export function variationValue({ key }: VariationPlace): { readonly variationKey: string } {
  return { variationKey: key }
}

/** Serializes the targeting of a config in all environments of its state. */
export async function presentTargeting(
  context: ReadContext,
  { projectKey, configKey }: AIConfigKeys,
  { config, variations, environments, targetings }: TargetingState,
): Promise<v.InferOutput<typeof aiConfigTargetingWire>> {
  const { key, name, tags, version, createdAt, defaults } = config
  const parent = path`/api/v2/projects/${projectKey}/ai-configs/${configKey}`
  return {
    _links: selfAndParent(`${parent}/targeting`, parent),
    key,
    name,
    tags,
    _version: version,
    createdAt,
    variations: variations.map(({ id, name: called, description, ...variation }) => ({
      _id: id,
      name: called,
      ...(description === undefined ? {} : { description }),
      value: variationValue({ _id: id, key: variation.key }),
    })),
    defaults,
    environments: Object.fromEntries(
      environments.map((one) => [one.key, presentOne(one.name, targetings.get(one.key) as AIConfigTargeting)]),
    ),
    _access: await context.access(aiConfigs, { projectKey, configKey }, config),
  }
}

function presentOne(name: string, targeting: AIConfigTargeting): v.InferOutput<typeof environmentWire> {
  const { version, environmentKey, on, ...shown } = targeting
  // Versions in responses start at 1, also when the configuration is not stored yet.
  return { ...shown, enabled: on, _version: version + 1, _environmentName: name }
}
