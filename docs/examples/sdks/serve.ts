// #region serve
import { createServer } from 'node:http'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler, createExpressSdk } from '@halyard/transport-express'

const engine = createEngine({ storage: createMemoryStorage() })
const sdks = createExpressSdk(engine)
const api = createExpressHandler(engine)
const server = createServer((req, res) => sdks(req, res, () => api(req, res)))
const heartbeat = setInterval(() => engine.sdk.beat(), 15_000)
// #endregion

const as = (await engine.bootstrap())?.token as string
const environment = { projectKey: 'shop', environmentKey: 'production' }
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'checkout', name: 'Checkout' } }, { as })
const turnOnPatch = {
  projectKey: 'shop',
  flagKey: 'checkout',
  body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] },
}
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`

// #region connect
import { init } from '@launchdarkly/node-server-sdk'

const { apiKey } = await engine.api.getEnvironment(environment, { as })
const logger = { error() {}, warn() {}, info() {}, debug() {} }
const client = init(apiKey, { baseUri: url, streamUri: url, eventsUri: url, logger })
await client.waitForInitialization({ timeout: 10 })

const ann = { kind: 'user', key: 'ann' }
console.log(await client.variation('checkout', ann, false))
// #endregion

const updated = new Promise((resolve) => client.once('update:checkout', resolve))
// #region change
await engine.api.patchFlag(turnOnPatch, { as })
// #endregion
await updated
console.log(await client.variation('checkout', ann, false))

// #region counts
await client.flush()
await engine.sdk.flush()
for (const { variation, count } of await engine.sdk.evaluations({ ...environment, flagKey: 'checkout' })) {
  console.log(variation, count)
}
// #endregion
const status = await engine.api.getFlagStatus({ ...environment, flagKey: 'checkout' }, { as })
console.log(status.lastRequested !== null)

// #region relay
const policy = [{ effect: 'allow' as const, resources: ['proj/shop:env/*'], actions: ['viewSdkKey'] }]
const { fullKey } = await engine.api.postRelayAutoConfig({ body: { name: 'Europe', policy } }, { as })
// #endregion
const relay = await fetch(`${url}/relay_auto_config`, { headers: { authorization: fullKey ?? '' } })
const firstEvent = await relay.body?.getReader().read()
console.log(new TextDecoder().decode(firstEvent?.value).includes(apiKey))

// #region end
client.close()
clearInterval(heartbeat)
await engine.close()
server.close()
// #endregion
