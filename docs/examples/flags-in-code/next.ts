import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
const as = engine.admin
await engine.given.project('shop')
await engine.given.flag('shop', 'checkout', { name: 'New checkout', defaults: { onVariation: 0, offVariation: 0 } })

// #region next
import { flagsAdapter, flagsProviderData } from '@halyard/core/flags'
import { flag } from 'flags/next'

const adapter = flagsAdapter<boolean>(engine.evaluator({ projectKey: 'shop', environmentKey: 'production' }))
export const checkout = flag<boolean>({
  key: 'checkout',
  defaultValue: false,
  adapter,
  identify: ({ cookies }) => ({ kind: 'user', key: cookies.get('user')?.value ?? 'anonymous' }),
})

// For `createFlagsDiscoveryEndpoint` in the route `/.well-known/vercel/flags`.
export const providerData = () => flagsProviderData(engine, 'shop', { as })
// #endregion

const absent = flag<boolean>({ key: 'absent', defaultValue: true, adapter, identify: () => undefined })
const request = new Request('https://shop.example.test/', { headers: { cookie: 'user=ann' } })
// In middleware and in the Pages Router a flag is called with the request. In the App Router it is called without
// arguments.
console.log(await checkout(request as never), await absent(request as never))
console.log((await providerData()).definitions.checkout?.options)
await engine.close()
