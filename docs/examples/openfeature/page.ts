// The response that a service would send.
const responseBody = {
  checkout: { value: true, variation: 0, version: 7, flagVersion: 7, reason: { kind: 'FALLTHROUGH' } },
}
globalThis.fetch = async () => Response.json(responseBody)

// #region page
import { createHalyardWebProvider } from '@halyard/openfeature/web'
import { OpenFeature } from '@openfeature/web-sdk'

const provider = createHalyardWebProvider({
  baseUrl: 'https://flags.example.test',
  environmentId: '64f0c2a1b7',
  pollMs: 60_000,
})
await OpenFeature.setProviderAndWait(provider, { targetingKey: 'ann' })

console.log(OpenFeature.getClient().getBooleanValue('checkout', false))
await OpenFeature.setContext({ targetingKey: 'ann', plan: 'pro' })
// #endregion
await OpenFeature.close()
