import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, anyObject, jsonObject, key, links, text } from '../../operation/schema.ts'
import { optimizationPath } from './agent-optimization-schema.ts'
import {
  type OptimizationResult,
  optimizationResults,
  resultActivities,
  resultStatuses,
} from './optimization-result.ts'

/** A prompt for a model, or a completion. */
const modelText = () => v.pipe(v.string(), v.maxLength(100_000, 'must have at most 100000 characters'))

const integerBetween = (min: number, max: number) =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )

const oneOf = <const Value extends string>(values: readonly Value[]) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/** Request body that adds a result to a run. The first result creates the run. */
export const resultRequest = v.strictObject({
  runId: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')),
  agentOptimizationVersion: integerBetween(1, Number.MAX_SAFE_INTEGER),
  iteration: integerBetween(0, 1_000_000),
  instructions: modelText(),
  userInput: modelText(),
  parameters: v.optional(jsonObject(), {}),
})

/** Properties of a result that a patch may set. */
export const resultChange = v.partial(
  v.strictObject({
    status: oneOf(resultStatuses),
    activity: oneOf(resultActivities),
    reason: text(),
    completionResponse: modelText(),
    scores: jsonObject(),
    variation: jsonObject(),
    createdVariationKey: key(),
    generationTokens: jsonObject(),
    generationLatency: v.pipe(v.number(), v.minValue(0, 'must not be negative')),
    evaluationTokens: jsonObject(),
    evaluationLatencies: jsonObject(),
  }),
)

const resultObject = v.object({
  _links: links(),
  id: v.string(),
  runId: v.string(),
  agentOptimizationId: v.string(),
  agentOptimizationVersion: v.number(),
  iteration: v.number(),
  instructions: v.string(),
  userInput: v.string(),
  completionResponse: v.optional(v.string()),
  parameters: anyObject(),
  scores: v.optional(anyObject()),
  variation: v.optional(anyObject()),
  createdVariationKey: v.optional(v.string()),
  generationTokens: v.optional(anyObject()),
  generationLatency: v.optional(v.number()),
  evaluationTokens: v.optional(anyObject()),
  evaluationLatencies: v.optional(anyObject()),
  status: v.picklist(resultStatuses),
  activity: v.picklist(resultActivities),
  reason: v.optional(v.string()),
  createdAt: v.number(),
  updatedAt: v.number(),
  completedAt: v.optional(v.number()),
  _access: v.optional(accessDetails()),
})

/** A result of an agent optimization in a response. */
export interface AgentOptimizationResultResponse extends v.InferOutput<typeof resultObject> {}

/**
 * "Agent optimization run result" of the specification. Times are integers
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
 */
export const resultResponse: v.GenericSchema<AgentOptimizationResultResponse> = resultObject

export type ResultKeys = Parameters<typeof optimizationResults.id>[0]

export async function serializeResult(
  context: ReadContext,
  result: OptimizationResult,
  keys: ResultKeys,
): Promise<AgentOptimizationResultResponse> {
  const { version, ...properties } = result
  const parent = optimizationPath(keys)
  return {
    ...properties,
    _links: selfAndParent(`${parent}${path`/results/${result.id}`}`, parent),
    _access: await context.access(optimizationResults, keys, result),
  }
}

/** Serializes results in the order of `ids`. Results that were deleted concurrently are omitted. */
export async function serializeResults(
  context: ReadContext,
  params: Omit<ResultKeys, 'resultId'>,
  ids: readonly string[],
): Promise<AgentOptimizationResultResponse[]> {
  const keysList = ids.map((resultId) => ({ ...params, resultId }))
  const results = await context.tx.getMany(optimizationResults, keysList)
  return Promise.all(
    results.flatMap((result, index) =>
      result ? [serializeResult(context, result, keysList[index] as ResultKeys)] : [],
    ),
  )
}
