import { createHalyardProvider } from '@halyard/openfeature'
import { createTestEngine } from '@halyard/testing'
import { OpenFeature } from '@openfeature/server-sdk'

const engine = await createTestEngine()
await engine.given.project('shop')
await engine.given.flag('shop', 'checkout')
const provider = createHalyardProvider(engine, { projectKey: 'shop', environmentKey: 'production' })
await OpenFeature.setProviderAndWait('shop', provider)
const client = OpenFeature.getClient('shop')
console.log(await client.getBooleanValue('checkout', true, { targetingKey: 'ann' })) // false
await OpenFeature.close()
