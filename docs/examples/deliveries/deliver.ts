import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createMemoryStorage } from '@halyard/storage-memory'

const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { titleVerb, followers = [] } = JSON.parse(body)
  console.log(request.headers['webhook-id'] ? 'signed:' : 'unsigned:', titleVerb)
  for (const { email } of followers) console.log('for', email)
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

// #region deliver
const engine = createEngine({
  storage: createMemoryStorage(),
  // The receiver of this example runs on the same machine; omit `allowPrivate` otherwise.
  webhooks: { send: fetchSender({ allowPrivate: true }) },
})
await engine.migrate()
const as = await engine.bootstrap().then((result) => result?.token ?? '')

await engine.api.createWebhook({ body: { name: 'Chat', url, on: true, sign: true } }, { as })
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })

const { delivered, failed, more } = await engine.runDueTasks()
console.log({ delivered, failed, more })
// #endregion

// #region replay
const { items } = await engine.api.listWebhooks({}, { as })
const id = items[0]?._id ?? ''
const { count } = await engine.api.replayWebhook({ id, body: { after: Date.now() - 60 * 60 * 1000 } }, { as })
await engine.runDueTasks()
console.log(count, 'sent again')
// #endregion

// #region followers
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
const { memberId = '' } = await engine.api.getCallerIdentity({}, { as })
const flag = { projectKey: 'web', flagKey: 'checkout' }
await engine.api.putFlagFollower({ ...flag, environmentKey: 'production', memberId }, { as })
await engine.runDueTasks()

const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
await engine.api.patchFlag({ ...flag, body: turnOn }, { as })
await engine.runDueTasks()
// #endregion

await engine.close()
receiver.close()
