import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()
const environment = { projectKey: 'shop', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }

// #region count
const engine = createEngine({ storage, countEvaluations: true })
const heartbeat = setInterval(() => engine.sdk.beat(), 15_000)
// #endregion

const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'checkout', name: 'Checkout' } }, { as })
await engine.evaluator(environment).ready()
const flag = { ...environment, flagKey: 'checkout' }
console.log((await engine.api.getFlagStatus(flag, { as })).lastRequested)

// #region counted
engine.evaluate('checkout', ann, false, environment)
await engine.sdk.flush()
const { lastRequested } = await engine.api.getFlagStatus(flag, { as })
for (const { variation, count } of await engine.sdk.evaluations({ ...environment, flagKey: 'checkout' })) {
  console.log(variation, count)
}
// #endregion

console.log(Date.now() - Number(lastRequested) < 60_000)
clearInterval(heartbeat)
await engine.close()
