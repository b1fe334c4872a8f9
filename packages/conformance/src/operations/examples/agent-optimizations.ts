import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newAIConfigIn } from './ai-configs.ts'
import { newProject } from './projects.ts'

const settings = { aiConfigKey: 'support', maxAttempts: 5, judgeModel: 'judge-1' }
const runId = '4d6f9a52-0b1e-4c3a-9a57-3f2c8f0e6b11'

/** Creates a project with the agent that is optimized. */
async function newAgent(context: ExampleContext): Promise<Record<'projectKey', string>> {
  const project = await newProject(context)
  await newAIConfigIn(context, project, { key: settings.aiConfigKey, mode: 'agent' })
  return project
}

async function newOptimization(context: ExampleContext): Promise<Record<'projectKey' | 'optimizationKey', string>> {
  const { projectKey } = await newAgent(context)
  const optimizationKey = context.newKey()
  await context.call('createAgentOptimization', { params: { projectKey }, body: { key: optimizationKey, ...settings } })
  return { projectKey, optimizationKey }
}

const result = {
  runId,
  agentOptimizationVersion: 1,
  iteration: 1,
  instructions: 'Answer in one sentence.',
  userInput: 'Where is my order?',
  parameters: { temperature: 0.2 },
}

/** Creates an optimization with a run of two results, both finished. */
async function newRun(context: ExampleContext) {
  const params = await newOptimization(context)
  const resultIds: string[] = []
  for (const iteration of [1, 2]) {
    const body = { ...result, iteration }
    const { id } = await context.call<{ id: string }>('createAgentOptimizationResult', { params, body })
    const change = { status: 'PASSED', activity: 'COMPLETED', scores: { accuracy: 0.9 }, generationLatency: 812 }
    await context.call('patchAgentOptimizationResult', { params: { ...params, resultId: id }, body: change })
    resultIds.push(id)
  }
  return { params, resultId: resultIds[0] ?? '' }
}

export const agentOptimizationExamples: ExampleMakers = {
  listAgentOptimizations: async (context) => {
    const { projectKey } = await newOptimization(context)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentOptimization: async (context) => ({
    params: await newAgent(context),
    body: {
      key: context.newKey(),
      ...settings,
      modelChoices: ['small', 'large'],
      variableChoices: [{ tone: 'warm' }],
      acceptanceStatements: [{ statement: 'It is polite', threshold: 0.9 }],
      judges: [{ key: 'accuracy', threshold: 0.8 }],
      userInputOptions: ['Where is my order?'],
      groundTruthResponses: ['On its way.'],
      metricKey: 'satisfaction',
    },
  }),
  getAgentOptimization: async (context) => ({ params: await newOptimization(context) }),
  patchAgentOptimization: async (context) => ({ params: await newOptimization(context), body: { maxAttempts: 7 } }),
  deleteAgentOptimization: async (context) => ({ params: await newOptimization(context) }),

  listAgentOptimizationResults: async (context) => ({ params: (await newRun(context)).params, query: { limit: '1' } }),
  createAgentOptimizationResult: async (context) => ({ params: await newOptimization(context), body: result }),
  patchAgentOptimizationResult: async (context) => {
    const { params, resultId } = await newRun(context)
    return { params: { ...params, resultId }, body: { createdVariationKey: 'warm', variation: { model: 'large' } } }
  },
  listAllAgentOptimizationResults: async (context) => ({
    params: (await newRun(context)).params,
    query: { limit: '1' },
  }),
  listAgentOptimizationRuns: async (context) => ({ params: (await newRun(context)).params, query: { limit: '1' } }),
  listAgentOptimizationResultsByRunId: async (context) => ({
    params: { ...(await newRun(context)).params, runId },
    query: { limit: '1' },
  }),
  deleteAgentOptimizationRun: async (context) => ({ params: { ...(await newRun(context)).params, runId } }),
}
