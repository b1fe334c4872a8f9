import type { ExampleMakers, Examples } from '../example.ts'
import { newAIConfigIn } from './ai-configs.ts'
import { newProject } from './projects.ts'

const settings = { aiConfigKey: 'support', maxAttempts: 5, judgeModel: 'judge-1' }
const runId = '4d6f9a52-0b1e-4c3a-9a57-3f2c8f0e6b11'

/** Creates a project with the agent that is optimized. */
async function newAgent(world: Examples): Promise<Record<'projectKey', string>> {
  const project = await newProject(world)
  await newAIConfigIn(world, project, { key: settings.aiConfigKey, mode: 'agent' })
  return project
}

async function newOptimization(world: Examples): Promise<Record<'projectKey' | 'optimizationKey', string>> {
  const { projectKey } = await newAgent(world)
  const optimizationKey = world.fresh()
  await world.call('createAgentOptimization', { params: { projectKey }, body: { key: optimizationKey, ...settings } })
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
async function newRun(world: Examples) {
  const params = await newOptimization(world)
  const resultIds: string[] = []
  for (const iteration of [1, 2]) {
    const body = { ...result, iteration }
    const { id } = await world.call<{ id: string }>('createAgentOptimizationResult', { params, body })
    const change = { status: 'PASSED', activity: 'COMPLETED', scores: { accuracy: 0.9 }, generationLatency: 812 }
    await world.call('patchAgentOptimizationResult', { params: { ...params, resultId: id }, body: change })
    resultIds.push(id)
  }
  return { params, resultId: resultIds[0] ?? '' }
}

export const agentOptimizationExamples: ExampleMakers = {
  listAgentOptimizations: async (world) => {
    const { projectKey } = await newOptimization(world)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentOptimization: async (world) => ({
    params: await newAgent(world),
    body: {
      key: world.fresh(),
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
  getAgentOptimization: async (world) => ({ params: await newOptimization(world) }),
  patchAgentOptimization: async (world) => ({ params: await newOptimization(world), body: { maxAttempts: 7 } }),
  deleteAgentOptimization: async (world) => ({ params: await newOptimization(world) }),

  listAgentOptimizationResults: async (world) => ({ params: (await newRun(world)).params, query: { limit: '1' } }),
  createAgentOptimizationResult: async (world) => ({ params: await newOptimization(world), body: result }),
  patchAgentOptimizationResult: async (world) => {
    const { params, resultId } = await newRun(world)
    return { params: { ...params, resultId }, body: { createdVariationKey: 'warm', variation: { model: 'large' } } }
  },
  listAllAgentOptimizationResults: async (world) => ({ params: (await newRun(world)).params, query: { limit: '1' } }),
  listAgentOptimizationRuns: async (world) => ({ params: (await newRun(world)).params, query: { limit: '1' } }),
  listAgentOptimizationResultsByRunId: async (world) => ({
    params: { ...(await newRun(world)).params, runId },
    query: { limit: '1' },
  }),
  deleteAgentOptimizationRun: async (world) => ({ params: { ...(await newRun(world)).params, runId } }),
}
