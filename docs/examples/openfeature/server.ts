import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
const customProperties = { team: { name: 'Team', value: ['growth'] } }
await engine.api.createFlag(
  { projectKey: 'shop', body: { key: 'checkout', name: 'Checkout', customProperties } },
  { as },
)
const patchCheckout = (...instructions: object[]) =>
  engine.api.patchFlag(
    { projectKey: 'shop', flagKey: 'checkout', body: { environmentKey: 'production', instructions } as never },
    { as },
  )
await patchCheckout({ kind: 'turnFlagOn' })

// #region provider
import { createHalyardProvider } from '@halyard/openfeature'
import { OpenFeature, ProviderEvents } from '@openfeature/server-sdk'

const environment = { projectKey: 'shop', environmentKey: 'production' }
await OpenFeature.setProviderAndWait(createHalyardProvider(engine, environment))

const client = OpenFeature.getClient()
const ann = { targetingKey: 'ann', country: 'de' }
console.log(await client.getBooleanDetails('checkout', false, ann))
// #endregion

// #region multi
const visit = {
  kind: 'multi',
  user: { targetingKey: 'ann', country: 'de' },
  device: { targetingKey: 'd-71', os: 'ios' },
}
console.log(await client.getBooleanValue('checkout', false, visit))
// #endregion

// #region events
client.addHandler(ProviderEvents.ConfigurationChanged, (event) => console.log('changed:', event?.flagsChanged))
client.addHandler(ProviderEvents.Stale, (event) => console.log('stale:', event?.message))
// #endregion
await patchCheckout({ kind: 'turnFlagOff' })
await OpenFeature.close()
await engine.close()
