import { createServer } from 'node:http'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
const project = { projectKey: 'shop' }
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
const defaultVariation = { key: 'first', name: 'First', instructions: 'Help {{ldctx.name}}.' }
await engine.api.createAIConfig(
  { ...project, body: { key: 'helper', name: 'Helper', mode: 'agent', defaultVariation } },
  { as },
)
const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
await engine.api.patchAIConfigTargeting({ ...project, configKey: 'helper', body: turnOn }, { as })
const { apiKey } = await engine.api.getEnvironment({ ...project, environmentKey: 'production' }, { as })
const server = createServer(createExpressSdk(engine))
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
const logger = { error() {}, warn() {}, info() {}, debug() {} }

// #region sdk
import { init } from '@launchdarkly/node-server-sdk'
import { initAi } from '@launchdarkly/server-sdk-ai'

const client = init(apiKey, { baseUri: url, streamUri: url, eventsUri: url, logger })
await client.waitForInitialization({ timeout: 10 })
const ai = initAi(client)
const { enabled, instructions } = await ai.agentConfig('helper', { kind: 'user', key: 'ann', name: 'Ann' })
console.log(enabled, instructions)
// #endregion

client.close()
await engine.close()
server.close()
