import * as v from 'valibot'
import {
  type AIConfigVariation,
  type VariationKeys,
  variationStates,
} from '../../../models/ai-configs/ai-config-variation.ts'
import { linkTo, path } from '../../../operation/link.ts'
import { anyObject, jsonObject, key, links, list, name, text } from '../../../operation/schema.ts'

/** A prompt for the model, which may be longer than other texts. */
const prompt = () => v.pipe(v.string(), v.maxLength(100_000, 'must have at most 100000 characters'))

/** A list of at most 100 items with different keys. */
const distinctList = <S extends v.GenericSchema>(item: S, keyOf: (entry: v.InferOutput<S>) => string, noun: string) =>
  v.pipe(
    v.array(item),
    v.maxLength(100, `must contain at most 100 ${noun}s`),
    v.check((all) => new Set(all.map(keyOf)).size === all.length, `must not repeat a ${noun}`),
    v.readonly(),
  )

const shortText = (max: number) =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(max, `must have at most ${max} characters`))

const version = () => v.pipe(v.number(), v.safeInteger('must be an integer'), v.minValue(1, 'must be at least 1'))

const tool = v.strictObject({ key: key(), version: version(), customParameters: v.optional(jsonObject()) })

const skill = v.strictObject({ key: key(), version: version() })

const judge = v.strictObject({
  judgeConfigKey: key(),
  samplingRate: v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(1, 'must be at most 1')),
})

/** Properties of a variation that a caller may set, at creation and by a patch. */
const settings = {
  description: v.optional(text()),
  instructions: v.optional(prompt()),
  messages: v.optional(
    v.pipe(
      list(v.strictObject({ role: shortText(64), content: prompt() })),
      v.maxLength(1000, 'must contain at most 1000 messages'),
    ),
  ),
  model: v.optional(jsonObject()),
  modelConfigKey: v.optional(key()),
  tools: v.optional(distinctList(tool, (entry) => entry.key, 'tool')),
  /** Tools in their latest versions, in addition to `tools`. */
  toolKeys: v.optional(distinctList(key(), (entry) => entry, 'tool')),
  skills: v.optional(distinctList(skill, (entry) => entry.key, 'skill')),
  judgeConfiguration: v.optional(
    v.strictObject({
      judges: v.optional(
        distinctList(judge, (entry) => entry.judgeConfigKey, 'judge'),
        [],
      ),
    }),
  ),
  color: v.optional(shortText(64)),
  comment: v.optional(text()),
}

export const variationRequest = v.strictObject({ key: key(), name: name(), ...settings })

export const variationPatch = v.strictObject({
  name: v.optional(name()),
  ...settings,
  state: v.optional(v.picklist(variationStates)),
  /** For clients of the reference API: true is the same as the state `published`; false does not change the state. */
  published: v.optional(v.boolean()),
})

export type VariationRequest = v.InferOutput<typeof variationRequest>
export type VariationPatch = v.InferOutput<typeof variationPatch>

const variationObject = v.object({
  _links: links(),
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  instructions: v.optional(v.string()),
  messages: v.optional(list(v.object({ role: v.string(), content: v.string() }))),
  model: anyObject(),
  modelConfigKey: v.optional(v.string()),
  tools: list(v.object({ key: v.string(), version: v.number(), customParameters: anyObject() })),
  skills: v.optional(list(v.object({ key: v.string(), version: v.number() }))),
  judgeConfiguration: v.object({ judges: list(v.object({ judgeConfigKey: v.string(), samplingRate: v.number() })) }),
  judgingConfigKeys: list(v.string()),
  color: v.optional(v.string()),
  comment: v.optional(v.string()),
  version: v.number(),
  state: v.picklist(variationStates),
  createdAt: v.number(),
  _publishedAt: v.optional(v.number()),
  _archivedAt: v.optional(v.number()),
})

/** A variation of an AI config in a response. */
export interface AIConfigVariationResponse extends v.InferOutput<typeof variationObject> {}

export const variationResponse: v.GenericSchema<AIConfigVariationResponse> = variationObject

/** Serializes a variation, or one of its earlier revisions. */
export function serializeVariation(
  variation: AIConfigVariation,
  { projectKey, configKey }: Omit<VariationKeys, 'variationKey'>,
): AIConfigVariationResponse {
  const { id, configKey: _, judges, revision, publishedAt, archivedAt, version, ...properties } = variation
  return {
    ...properties,
    _links: { parent: linkTo(path`/api/v2/projects/${projectKey}/ai-configs/${configKey}`) },
    _id: id,
    judgeConfiguration: { judges },
    judgingConfigKeys: judges.map(({ judgeConfigKey }) => judgeConfigKey),
    version: revision,
    ...(publishedAt === undefined ? {} : { _publishedAt: publishedAt }),
    ...(archivedAt === undefined ? {} : { _archivedAt: archivedAt }),
  }
}
