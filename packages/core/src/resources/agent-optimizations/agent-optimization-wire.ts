import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, anyObject, jsonObject, key, links, list, name, text } from '../../operation/schema.ts'
import { type AgentOptimization, agentOptimizations } from './agent-optimization.ts'

const threshold = () => v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(1, 'must be at most 1'))

const several = <S extends v.GenericSchema>(item: S) =>
  v.pipe(list(item), v.maxLength(100, 'must have at most 100 items'))

/** What a caller may set on an optimization, at creation and by a patch. */
const settings = {
  aiConfigKey: key(),
  maxAttempts: v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(1000, 'must be at most 1000'),
  ),
  judgeModel: name(),
  modelChoices: several(name()),
  variableChoices: several(jsonObject()),
  acceptanceStatements: several(v.strictObject({ statement: text(), threshold: threshold() })),
  judges: several(v.strictObject({ key: key(), threshold: threshold() })),
  userInputOptions: several(text()),
  groundTruthResponses: several(text()),
}

export const agentOptimizationRequest = v.strictObject({
  key: key(),
  ...settings,
  modelChoices: v.optional(settings.modelChoices, []),
  variableChoices: v.optional(settings.variableChoices, []),
  acceptanceStatements: v.optional(settings.acceptanceStatements, []),
  judges: v.optional(settings.judges, []),
  userInputOptions: v.optional(settings.userInputOptions, []),
  groundTruthResponses: v.optional(settings.groundTruthResponses, []),
  metricKey: v.optional(key()),
})

/** With `metricKey` null the optimization has none afterwards. */
export const agentOptimizationChange = v.partial(
  v.strictObject({ ...settings, metricKey: v.nullable(key()), comment: text() }),
)

export const agentOptimizationWire = v.object({
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
  metricKey: v.optional(v.string()),
  /** Times of optimizations are integers (D4). */
  createdAt: v.number(),
  updatedAt: v.number(),
  _access: v.optional(accessDetails()),
})

export async function presentAgentOptimization(
  context: ReadContext,
  optimization: AgentOptimization,
  keys: { readonly projectKey: string; readonly optimizationKey: string },
): Promise<v.InferOutput<typeof agentOptimizationWire>> {
  return {
    ...optimization,
    _links: selfAndParent(optimizationPath(keys), path`/api/v2/projects/${keys.projectKey}/agent-optimizations`),
    _access: await context.access(agentOptimizations, keys, optimization),
  }
}

/** Where an optimization is read. */
export function optimizationPath(keys: { readonly projectKey: string; readonly optimizationKey: string }): string {
  return path`/api/v2/projects/${keys.projectKey}/agent-optimizations/${keys.optimizationKey}`
}
