import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { fetchSender } from '../../entries/webhooks.ts'
import { createEngine } from '../../index.ts'
import { openReceiver } from '../../resources/webhooks/test/receiver.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
const turnOn = { kind: 'turnFlagOn' }
const flag = { projectKey: 'web', flagKey: 'checkout' }
const environmentRef = { ...flag, environmentKey: 'production' }

/** Two processes over one storage and one clock, a flag that is off, and a receiver whose webhook is off. */
async function processes() {
  const memory = createMemoryStorage()
  let now = start
  const webhooks = { send: fetchSender({ allowPrivate: true }) }
  const storage = laggingStorage(memory)
  const localEngine = createEngine({ storage, webhooks, clock: () => now })
  const otherEngine = createEngine({ storage: laggingStorage(memory), webhooks, clock: () => now })
  const as = (await localEngine.bootstrap())?.token as string
  await localEngine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await localEngine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const receiver = await openReceiver()
  return { here: localEngine, there: otherEngine, as, storage, receiver, advance: (ms: number) => (now += ms) }
}

describe('engine.runDueTasks', () => {
  it('uses no cache: it notifies a webhook that another process enabled', async () => {
    const { here: localEngine, there: otherEngine, as, storage, receiver } = await processes()
    const body = { url: receiver.url, on: false, sign: false }
    const { _id: id } = await localEngine.api.createWebhook({ body }, { as })
    await localEngine.api.getWebhook({ id }, { as })
    storage.delay()
    await otherEngine.api.patchWebhook({ id, body: [{ op: 'replace', path: '/on', value: true }] } as never, { as })
    await otherEngine.api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/name', value: 'New' }] } as never, {
      as,
    })
    await localEngine.runDueTasks()
    expect(receiver.received.map(({ body }) => JSON.parse(body).titleVerb)).toEqual(['renamed Checkout to New'])
  })

  it('uses no cache: it applies a change at the time that another process set', async () => {
    const { here: localEngine, there: otherEngine, as, storage, advance: pass } = await processes()
    const body = { executionDate: start + 2 * hour, instructions: [turnOn] } as never
    const { _id: id } = await localEngine.api.createScheduledChange({ ...environmentRef, body }, { as })
    await localEngine.api.getScheduledChange({ ...environmentRef, id }, { as })
    storage.delay()
    const move = { kind: 'updateScheduledChangesExecutionDate', value: start + hour }
    await otherEngine.api.patchScheduledChange(
      { ...environmentRef, id, body: { instructions: [move] } as never },
      { as },
    )
    pass(hour)
    expect(await localEngine.runDueTasks()).toEqual({ delivered: 1, failed: 0, more: false })
    expect((await otherEngine.api.getFlag(flag, { as })).environments?.production?.on).toBe(true)
  })

  it('starts at most `limit` tasks of all queues together, and reports that there are more', async () => {
    const { here: localEngine, as, receiver, advance: pass } = await processes()
    await localEngine.api.createWebhook({ body: { url: receiver.url, on: true, sign: false } }, { as })
    const body = { executionDate: start + hour, instructions: [turnOn] } as never
    await localEngine.api.createScheduledChange({ ...environmentRef, body }, { as })
    pass(hour)
    const report = { delivered: 1, failed: 0, more: true }
    const receivedCount = () => receiver.received.length
    expect([await localEngine.runDueTasks({ limit: 1 }), receivedCount()]).toEqual([report, 0])
    expect((await localEngine.api.getFlag(flag, { as })).environments?.production?.on).toBe(true)
    // First the message about the schedule arrives, and then the message about the scheduled change.
    for (const count of [1, 2])
      expect([await localEngine.runDueTasks({ limit: 1 }), receivedCount()]).toEqual([report, count])
    expect(await localEngine.runDueTasks({ limit: 1 })).toEqual({ delivered: 0, failed: 0, more: false })
  })
})
