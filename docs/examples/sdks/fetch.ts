// #region fetch
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage(), sdk: { flushMs: 0 } })
const handler = withSdk(createFetchHandler(engine), engine)
// #endregion

const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
const browserOnly = { usingEnvironmentId: true, usingMobileKey: false }
const checkout = { key: 'checkout', name: 'Checkout', clientSideAvailability: browserOnly }
await engine.api.createFlag({ projectKey: 'shop', body: checkout }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'secret', name: 'Secret' } }, { as })
const { _id: environmentId } = await engine.api.getEnvironment(
  { projectKey: 'shop', environmentKey: 'production' },
  { as },
)

// #region values
const context = btoa(JSON.stringify({ kind: 'user', key: 'ann' }))
const response = await handler(
  new Request(`https://flags.example.com/sdk/evalx/${environmentId}/contexts/${context}?withReasons=true`),
)
for (const [key, { value, reason }] of Object.entries<{ value: unknown; reason: object }>(await response.json())) {
  console.log(key, value, reason)
}
// #endregion
await engine.close()
