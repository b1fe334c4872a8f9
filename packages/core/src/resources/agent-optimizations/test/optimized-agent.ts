import { createMemoryStorage } from '@halyard/storage-memory'
import { type As, createEngine, type ModelCall, type ModelProvider, type OptimizationRunInput } from '../../../index.ts'

export { allow } from '../../account/test/calls.ts'

export const projectKey = 'web'
export const keys = { projectKey, optimizationKey: 'tone' }
export const runId = '00000000-0000-4000-9000-000000000001'

/** Makes an account with the agent `support`, the judge `polite` and the optimization `tone`. */
export async function optimizedAgent(optimization: object = {}, variation: object = {}) {
  let now = Date.UTC(2026, 4, 4, 12)
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now, newId })
  const as: As = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const agentVariation = { key: 'first', name: 'First', instructions: 'Help {{who}}.', model: { modelName: 'small' } }
  const judgeMessages = [{ role: 'system', content: 'Is the agent polite?' }]
  const configs = [
    { key: 'support', name: 'Support', mode: 'agent', defaultVariation: { ...agentVariation, ...variation } },
    {
      key: 'polite',
      name: 'Polite',
      mode: 'judge',
      defaultVariation: { key: 'a', name: 'A', messages: judgeMessages },
    },
  ] as const
  for (const body of configs) await api.createAIConfig({ projectKey, body: body as never }, { as })
  const body = {
    key: 'tone',
    aiConfigKey: 'support',
    maxAttempts: 3,
    judgeModel: 'judge-1',
    acceptanceStatements: [{ statement: 'It greets.', threshold: 0.5 }],
    ...optimization,
  }
  await api.createAgentOptimization({ projectKey, body }, { as })
  return {
    engine,
    api,
    as,
    pass: (ms: number) => {
      now += ms
    },
    run: (model: ModelProvider, input: Partial<OptimizationRunInput> = {}, caller: As = as) =>
      engine.runOptimization({ ...keys, runId, model, ...input }, { as: caller }),
    /** Returns the results of the run, oldest first. */
    results: async () => {
      const { items } = await api.listAgentOptimizationResultsByRunId({ ...keys, runId, limit: 100 }, { as })
      return items.toSorted((a, b) => a.iteration - b.iteration)
    },
    latest: async () => (await api.listAgentOptimizationResults(keys, { as })).items[0],
  }
}

/** Returns a provider that replies, for each purpose, with a fixed text or with a text computed from the call. */
export function scripted(
  texts: Readonly<Record<ModelCall['purpose'], string | ((call: ModelCall) => string)>>,
): ModelProvider {
  return async (call) => {
    const text = texts[call.purpose]
    return { text: typeof text === 'string' ? text : text(call), tokens: 10, cost: 0.5 }
  }
}

/** Returns the reply of a judge. */
export const score = (value: number) => JSON.stringify({ score: value, reason: `because ${value}` })

/** Returns a reply with new instructions. */
export const better = (instructions: string, more: object = {}) => JSON.stringify({ instructions, ...more })
