import * as v from 'valibot'
import { type AIConfig, type AIConfigKeys, aiConfigModes, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags, text } from '../../operation/schema.ts'
import { maintainerRequest, maintainerResponse, serializeMaintainer } from '../maintainers/maintainer-schema.ts'
import { clientSideAvailability } from '../projects/project-schema.ts'
import { serializeVariation, variationRequest, variationResponse } from './variations/ai-config-variation-schema.ts'

/** Key of a metric, also of one that the AI SDKs report, e.g. `$ld:ai:judge:accuracy`. */
const metricKey = () =>
  v.pipe(
    v.string(),
    v.regex(
      /^[$A-Za-z0-9][A-Za-z0-9._:-]{0,255}$/,
      'must be 1 to 256 letters, digits, ".", "_", ":" or "-", starting with a letter, a digit or "$"',
    ),
  )

const metricKeys = () =>
  v.pipe(
    v.array(metricKey()),
    v.maxLength(100, 'must contain at most 100 keys'),
    v.check((keys) => new Set(keys).size === keys.length, 'must not repeat a key'),
    v.readonly(),
  )

/** Properties of a config that a caller may update. */
export const aiConfigPatch = v.strictObject({
  name: v.optional(name()),
  description: v.optional(text()),
  tags: v.optional(tags()),
  ...maintainerRequest,
  evaluationMetricKey: v.optional(metricKey()),
  evaluationMetricKeys: v.optional(metricKeys()),
  isInverted: v.optional(v.boolean()),
  clientSideAvailability: v.optional(clientSideAvailability),
})

/**
 * Keys that an AI config cannot have, because other paths of this API have them as a segment. A config with such a key
 * could not be addressed.
 */
const reservedKeys: ReadonlySet<string> = new Set(['model-configs', 'prompt-snippets', 'quick-stats', 'skills'])

export const aiConfigRequest = v.strictObject({
  ...aiConfigPatch.entries,
  key: v.pipe(
    key(),
    v.check((value) => !reservedKeys.has(value), `must not be one of ${[...reservedKeys].join(', ')}`),
  ),
  name: name(),
  description: v.optional(text(), ''),
  tags: v.optional(tags(), []),
  mode: v.optional(v.picklist(aiConfigModes), 'completion'),
  isInverted: v.optional(v.boolean(), false),
  defaultVariation: v.optional(variationRequest),
})

const aiConfigObject = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  mode: v.picklist(aiConfigModes),
  tags: list(v.string()),
  version: v.number(),
  variations: list(variationResponse),
  evaluationMetricKey: v.optional(v.string()),
  evaluationMetricKeys: list(v.string()),
  isInverted: v.boolean(),
  clientSideAvailability: v.optional(clientSideAvailability),
  dependencies: list(v.object({ type: v.picklist(['agent-graph']), key: v.string() })),
  createdAt: v.number(),
  updatedAt: v.number(),
  _maintainer: v.optional(maintainerResponse),
  _access: accessDetails(),
})

/** An AI config in a response. */
export interface AIConfigResponse extends v.InferOutput<typeof aiConfigObject> {}

export const aiConfigResponse: v.GenericSchema<AIConfigResponse> = aiConfigObject

/** Serializes a config with its variations. The reads for all configs of a page are batched. */
export async function serializeAIConfig(
  context: ReadContext,
  config: AIConfig,
  { projectKey, configKey }: AIConfigKeys,
): Promise<AIConfigResponse> {
  const keys = { projectKey, configKey }
  const { maintainerId, maintainerTeamKey, variations, defaults, holds, ...properties } = config
  const parent = path`/api/v2/projects/${projectKey}/ai-configs`
  const [storedVariations, maintainer, _access] = await Promise.all([
    Promise.all(
      variations.map((variation) => context.tx.get(aiConfigVariations, { ...keys, variationKey: variation.key })),
    ),
    serializeMaintainer(context, config),
    context.access(aiConfigs, keys, config),
  ])
  return {
    ...properties,
    _links: selfAndParent(`${parent}${path`/${configKey}`}`, parent),
    variations: storedVariations.flatMap((variation) => (variation ? [serializeVariation(variation, keys)] : [])),
    ...maintainer,
    _access,
  }
}
