import { refuse } from '../../../operation/errors.ts'
import type { OptimizerApi } from './optimizer-api.ts'
import { statementMessages } from './prompts.ts'
import type { Criterion, RunSettings, StartVariation } from './run-settings.ts'

type Optimization = Awaited<ReturnType<OptimizerApi['getAgentOptimization']>>
type AIConfig = Awaited<ReturnType<OptimizerApi['getAIConfig']>>

/**
 * Reads everything that a run depends on: the optimization, the AI config of the agent and its judges.
 *
 * @throws ApiError `not_found` when the optimization or its AI config does not exist; `invalid_request` naming the
 *   property of the optimization with which it cannot run.
 */
export async function loadSettings(
  api: OptimizerApi,
  keys: { readonly projectKey: string; readonly optimizationKey: string; readonly runId: string },
): Promise<RunSettings> {
  const optimization = await api.getAgentOptimization(keys)
  const { projectKey } = keys
  const config = await api.getAIConfig({ projectKey, configKey: optimization.aiConfigKey })
  const start = startVariation(optimization, config)
  const { modelChoices, variableChoices, acceptanceStatements, judges, userInputOptions } = optimization
  if (acceptanceStatements.length + judges.length === 0) {
    refuse('acceptanceStatements', 'must contain at least 1 statement, unless there are judges')
  }
  const criteria = [
    ...acceptanceStatements.map(({ statement, threshold }, index) => ({
      name: `acceptance statement ${index + 1}`,
      threshold,
      isInverted: false,
      messages: statementMessages(statement),
    })),
    ...(await Promise.all(judges.map((judge, index) => loadJudge(api, projectKey, judge, index)))),
  ]
  const inputs = userInputOptions.length === 0 ? [''] : userInputOptions
  const model = modelNameOf(start) ?? modelChoices[0]
  return {
    ...keys,
    aiConfigKey: optimization.aiConfigKey,
    version: optimization.version,
    maxAttempts: optimization.maxAttempts,
    judgeModel: optimization.judgeModel,
    modelChoices,
    variableChoices: variableChoices.length === 0 ? [{}] : variableChoices,
    inputs: inputs.map((text, index) => ({ text, expected: optimization.groundTruthResponses[index] })),
    criteria,
    start,
    firstCandidate: {
      instructions: start.instructions,
      model: model ?? refuse('modelChoices', 'must contain at least 1 model, because the variation names none'),
    },
    modelParameters: parametersOf(start),
    aims: aimsOf(optimization),
    tokenLimit: optimization.tokenLimit,
    autoCommit: optimization.autoCommit ?? false,
  }
}

function startVariation({ variationKey }: Optimization, { mode, variations }: AIConfig): StartVariation {
  if (mode !== 'agent') refuse('aiConfigKey', 'must be the key of an AI config of mode agent')
  const variation = variations.find(({ key }) => variationKey === undefined || key === variationKey)
  if (!variation) return refuse('variationKey', 'must be the key of a variation of the AI config')
  const { key, name, instructions, model, modelConfigKey, tools, judgeConfiguration } = variation
  if (!instructions) return refuse('variationKey', 'must be the key of a variation with instructions')
  return { key, name, instructions, model, modelConfigKey, tools, judges: judgeConfiguration.judges }
}

/** Loads the AI config of a judge, whose first variation has the messages. */
async function loadJudge(
  api: OptimizerApi,
  projectKey: string,
  { key, threshold }: Optimization['judges'][number],
  index: number,
): Promise<Criterion> {
  const config = await api.getAIConfig({ projectKey, configKey: key }).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === 'not_found') return undefined
    throw error
  })
  const messages = config?.variations[0]?.messages ?? []
  if (config?.mode !== 'judge' || messages.length === 0) {
    refuse(`judges.${index}.key`, 'must be the key of an AI config of mode judge whose first variation has messages')
  }
  return { name: `judge ${key}`, threshold, isInverted: config?.isInverted ?? false, messages }
}

/** Returns the name of the model of a variation. Clients of the reference API store it in one of two properties. */
function modelNameOf({ model }: StartVariation): string | undefined {
  const name = model.modelName ?? model.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

function parametersOf({ model: { parameters } }: StartVariation): Readonly<Record<string, unknown>> {
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters) ? { ...parameters } : {}
}

function aimsOf({ latencyOptimization, tokenOptimization }: Optimization): readonly string[] {
  return [
    ...(latencyOptimization ? ['The agent should also respond faster.'] : []),
    ...(tokenOptimization ? ['The agent should also use fewer tokens.'] : []),
  ]
}
