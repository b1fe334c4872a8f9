import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'

/** A separate process, whose memory is used only by the streams that it serves. Its argument is `ours` or `bare`. */
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
for (let i = 0; i < 100; i++) {
  await engine.api.createFlag({ projectKey: 'web', body: { key: `flag-${i}`, name: `Flag ${i}` } }, { as })
}
const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })
const response = await engine.sdk.handle({
  method: 'GET',
  path: '/sdk/latest-all',
  query: '',
  header: (name) => (name === 'authorization' ? apiKey : undefined),
  body: { kind: 'parsed', value: undefined },
})
if (response?.status !== 200) throw new Error(`reading the flags failed: ${response?.status}`)

const putEvent = Buffer.from(`event: put\ndata: {"path":"/","data":${response.body}}\n\n`)
const bare: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(putEvent)
}
const server = createServer(process.argv[2] === 'bare' ? bare : createExpressSdk(engine))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, key: apiKey })
})

let isOn = false
process.on('message', async (command: 'memory' | 'change') => {
  if (command === 'memory') {
    // Collects garbage twice, because the second collection frees memory that the first one released.
    for (let i = 0; i < 2; i++) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ rss, heap: heapUsed + external })
  } else {
    isOn = !isOn
    const instructions = [{ kind: isOn ? 'turnFlagOn' : 'turnFlagOff' }]
    const body = { environmentKey: 'production', instructions } as never
    await engine.api.patchFlag({ projectKey: 'web', flagKey: 'flag-7', body }, { as })
  }
})
