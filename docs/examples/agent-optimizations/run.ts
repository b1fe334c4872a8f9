import { createEngine, type ModelProvider } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
const projectKey = 'shop'
await engine.api.createProject({ body: { key: projectKey, name: 'Shop' } }, { as })

// #region optimization
const defaultVariation = {
  key: 'first',
  name: 'First',
  instructions: 'Help {{who}} with orders.',
  model: { modelName: 'small', parameters: { temperature: 0 } },
}
await engine.api.createAIConfig(
  { projectKey, body: { key: 'support', name: 'Support', mode: 'agent', defaultVariation } },
  { as },
)
await engine.api.createAgentOptimization(
  {
    projectKey,
    body: {
      key: 'politeness',
      aiConfigKey: 'support',
      maxAttempts: 5,
      judgeModel: 'judge',
      acceptanceStatements: [{ statement: 'The response greets the customer.', threshold: 0.8 }],
      userInputOptions: ['Where is my parcel?', 'Cancel my order.'],
      variableChoices: [{ who: 'customers' }],
      autoCommit: true,
    },
  },
  { as },
)
// #endregion

// #region provider
const model: ModelProvider = async ({ purpose, messages }) => {
  const [system, user] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? '']
  const texts = {
    generate: system.startsWith('Greet') ? 'Hello! I will look.' : 'I will look.',
    judge: JSON.stringify({ score: user.includes('Hello') ? 1 : 0.1 }),
    vary: JSON.stringify({ instructions: 'Greet {{who}}, then help them with orders.' }),
  }
  return { text: texts[purpose], tokens: 50, cost: 0.001 }
}
// #endregion

// #region run
const keys = { projectKey, optimizationKey: 'politeness' }
const limits = { tokens: 10_000, cost: 1, ms: 60_000 }
const outcome = await engine.runOptimization({ ...keys, model, limits }, { as })
console.log(outcome.status, 'after', outcome.attempts, 'attempts and', outcome.spent.tokens, 'tokens')
console.log(outcome.instructions)

const { items } = await engine.api.listAgentOptimizationResults(keys, { as })
console.log(items[0]?.status, items[0]?.activity)
// #endregion

// #region resume
const runId = crypto.randomUUID()
const controller = new AbortController()
const interrupted: ModelProvider = (call) => {
  if (call.purpose === 'vary') controller.abort(new Error('the process ends'))
  return model(call)
}
await engine
  .runOptimization({ ...keys, runId, model: interrupted, signal: controller.signal }, { as })
  .catch((error: Error) => console.log(error.message))

const resumed = await engine.runOptimization({ ...keys, runId, model }, { as })
console.log(resumed.status, 'after', resumed.spent.tokens, 'tokens')
// #endregion

await engine.close()
