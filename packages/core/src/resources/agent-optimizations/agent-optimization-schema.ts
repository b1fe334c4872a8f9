import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import {
  accessDetails,
  anyObject,
  jsonObject,
  key,
  links,
  list,
  name,
  storedOnly,
  text,
} from '../../operation/schema.ts'
import { type AgentOptimization, agentOptimizations } from './agent-optimization.ts'

const threshold = () => v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(1, 'must be at most 1'))

const boundedList = <S extends v.GenericSchema>(item: S) =>
  v.pipe(list(item), v.maxLength(100, 'must contain at most 100 items'))

const count = (max: number) =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(max, `must be at most ${max}`),
  )

const required = { maxAttempts: count(1000), judgeModel: name() }

/** Lists that are empty when they are omitted. */
const lists = {
  modelChoices: boundedList(name()),
  variableChoices: boundedList(jsonObject()),
  acceptanceStatements: boundedList(v.strictObject({ statement: text(), threshold: threshold() })),
  judges: boundedList(v.strictObject({ key: key(), threshold: threshold() })),
  userInputOptions: boundedList(text()),
  groundTruthResponses: boundedList(text()),
}

const optional = {
  metricKey: storedOnly(key()),
  tokenLimit: count(Number.MAX_SAFE_INTEGER),
  variationKey: key(),
  label: name(),
  latencyOptimization: v.boolean(),
  tokenOptimization: v.boolean(),
  autoCommit: v.boolean(),
}

export const agentOptimizationRequest = v.strictObject({
  key: key(),
  aiConfigKey: key(),
  ...required,
  ...v.partial(v.object({ ...lists, ...optional })).entries,
})

/** Default of each list. */
export const emptyLists = {
  modelChoices: [],
  variableChoices: [],
  acceptanceStatements: [],
  judges: [],
  userInputOptions: [],
  groundTruthResponses: [],
} as const satisfies Record<keyof typeof lists, readonly never[]>

/** `null` removes an optional property. */
export const agentOptimizationChange = v.partial(
  v.strictObject({
    ...required,
    ...lists,
    metricKey: storedOnly(v.nullable(key())),
    tokenLimit: v.nullable(optional.tokenLimit),
    variationKey: v.nullable(optional.variationKey),
    label: v.nullable(optional.label),
    latencyOptimization: v.nullable(optional.latencyOptimization),
    tokenOptimization: v.nullable(optional.tokenOptimization),
    autoCommit: v.nullable(optional.autoCommit),
    comment: text(),
  }),
)

const agentOptimizationObject = v.object({
  _links: links(),
  id: v.string(),
  key: v.string(),
  version: v.number(),
  aiConfigKey: v.string(),
  maxAttempts: v.number(),
  judgeModel: v.string(),
  modelChoices: list(v.string()),
  variableChoices: list(anyObject()),
  acceptanceStatements: list(v.object({ statement: v.string(), threshold: v.number() })),
  judges: list(v.object({ key: v.string(), threshold: v.number() })),
  userInputOptions: list(v.string()),
  groundTruthResponses: list(v.string()),
  metricKey: v.optional(storedOnly(v.string())),
  tokenLimit: v.optional(v.number()),
  variationKey: v.optional(v.string()),
  label: v.optional(v.string()),
  latencyOptimization: v.optional(v.boolean()),
  tokenOptimization: v.optional(v.boolean()),
  autoCommit: v.optional(v.boolean()),
  /** Times of optimizations are integers (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps). */
  createdAt: v.number(),
  updatedAt: v.number(),
  _access: v.optional(accessDetails()),
})

/** An agent optimization in a response. */
export interface AgentOptimizationResponse extends v.InferOutput<typeof agentOptimizationObject> {}

export const agentOptimizationResponse: v.GenericSchema<AgentOptimizationResponse> = agentOptimizationObject

export async function serializeAgentOptimization(
  context: ReadContext,
  optimization: AgentOptimization,
  keys: { readonly projectKey: string; readonly optimizationKey: string },
): Promise<AgentOptimizationResponse> {
  return {
    ...optimization,
    _links: selfAndParent(optimizationPath(keys), path`/api/v2/projects/${keys.projectKey}/agent-optimizations`),
    _access: await context.access(agentOptimizations, keys, optimization),
  }
}

/** Returns the path of an optimization. */
export function optimizationPath(keys: { readonly projectKey: string; readonly optimizationKey: string }): string {
  return path`/api/v2/projects/${keys.projectKey}/agent-optimizations/${keys.optimizationKey}`
}
