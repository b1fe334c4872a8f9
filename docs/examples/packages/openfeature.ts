import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })

// #region provider
import { createHalyardProvider } from '@halyard/openfeature'
import { OpenFeature } from '@openfeature/server-sdk'

const environment = { projectKey: 'shop', environmentKey: 'production' }
await OpenFeature.setProviderAndWait(createHalyardProvider(engine, environment))
const isOn = await OpenFeature.getClient().getBooleanValue('checkout', false, { targetingKey: 'ann' })
// #endregion
console.log(isOn)
await OpenFeature.close()
