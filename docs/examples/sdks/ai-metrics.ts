import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
const environment = { projectKey: 'shop', environmentKey: 'production' }
const { projectKey } = environment
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
const model = { key: 'small', name: 'Small', id: 'small-1', costPerInputToken: 0.25 }
await engine.api.createModelConfig({ projectKey, body: model }, { as })
const defaultVariation = { key: 'calm', name: 'Calm', modelConfigKey: 'small' }
await engine.api.createAIConfig({ projectKey, body: { key: 'assistant', name: 'Assistant', defaultVariation } }, { as })

// #region metrics
const ann = { kind: 'user', key: 'ann' }
const data = { configKey: 'assistant', variationKey: 'calm', version: 1 }
engine.track('$ld:ai:tokens:input', ann, { value: 120, data }, environment)
engine.track('$ld:ai:generation:success', ann, { value: 1, data }, environment)
await engine.sdk.flush()
const lastDay = { from: Date.now() - 24 * 60 * 60 * 1000, to: Date.now() + 1, env: 'production' }
const metrics = await engine.api.getAIConfigMetrics({ projectKey, configKey: 'assistant', ...lastDay }, { as })
console.log(metrics.inputTokens, metrics.inputCost, metrics.generationSuccessCount)
// #endregion
await engine.close()
