import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()
const place = { projectKey: 'shop', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }

// #region count
const engine = createEngine({ storage, countEvaluations: true })
const pulse = setInterval(() => engine.sdk.beat(), 15_000)
// #endregion

const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'checkout', name: 'Checkout' } }, { as })
await engine.evaluator(place).ready()
const flag = { ...place, featureFlagKey: 'checkout' }
console.log((await engine.api.getFlagStatus(flag, { as })).lastRequested)

// #region counted
engine.evaluate('checkout', ann, false, place)
await engine.sdk.flush()
const { lastRequested } = await engine.api.getFlagStatus(flag, { as })
for (const { variation, count } of await engine.sdk.evaluations({ ...place, flagKey: 'checkout' })) {
  console.log(variation, count)
}
// #endregion

console.log(Date.now() - Number(lastRequested) < 60_000)
clearInterval(pulse)
await engine.close()
