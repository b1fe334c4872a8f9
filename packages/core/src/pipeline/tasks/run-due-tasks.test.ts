import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { fetchSender } from '../../entries/webhooks.ts'
import { createEngine } from '../../index.ts'
import { openReceiver } from '../../resources/webhooks/test/receiver.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
const turnOn = { kind: 'turnFlagOn' }
const flag = { projectKey: 'web', featureFlagKey: 'checkout' }
const at = { ...flag, environmentKey: 'production' }

/** Two processes over one storage and one clock, a flag that is off, and a receiver whose webhook is off. */
async function processes() {
  const memory = createMemoryStorage()
  let now = start
  const webhooks = { send: fetchSender({ allowPrivate: true }) }
  const storage = laggingStorage(memory)
  const here = createEngine({ storage, webhooks, clock: () => now })
  const there = createEngine({ storage: laggingStorage(memory), webhooks, clock: () => now })
  const as = (await here.bootstrap())?.token as string
  await here.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await here.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const receiver = await openReceiver()
  return { here, there, as, storage, receiver, pass: (ms: number) => (now += ms) }
}

describe('engine.runDueTasks', () => {
  it('uses no cache: it notifies a webhook that another process turned on', async () => {
    const { here, there, as, storage, receiver } = await processes()
    const body = { url: receiver.url, on: false, sign: false }
    const { _id: id } = await here.api.createWebhook({ body }, { as })
    await here.api.getWebhook({ id }, { as })
    storage.delay()
    await there.api.patchWebhook({ id, body: [{ op: 'replace', path: '/on', value: true }] } as never, { as })
    await there.api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/name', value: 'New' }] } as never, { as })
    await here.runDueTasks()
    expect(receiver.received.map(({ body }) => JSON.parse(body).titleVerb)).toEqual(['updated the flag'])
  })

  it('uses no cache: it applies a change at the time to which another process moved it', async () => {
    const { here, there, as, storage, pass } = await processes()
    const body = { executionDate: start + 2 * hour, instructions: [turnOn] } as never
    const { _id: id } = await here.api.createScheduledChange({ ...at, body }, { as })
    await here.api.getScheduledChange({ ...at, id }, { as })
    storage.delay()
    const move = { kind: 'updateScheduledChangesExecutionDate', value: start + hour }
    await there.api.patchScheduledChange({ ...at, id, body: { instructions: [move] } as never }, { as })
    pass(hour)
    expect(await here.runDueTasks()).toEqual({ delivered: 1, failed: 0, more: false })
    expect((await there.api.getFlag(flag, { as })).environments?.production?.on).toBe(true)
  })

  it('begins at most `limit` tasks of all queues together, and reports that there are more', async () => {
    const { here, as, receiver, pass } = await processes()
    await here.api.createWebhook({ body: { url: receiver.url, on: true, sign: false } }, { as })
    const body = { executionDate: start + hour, instructions: [turnOn] } as never
    await here.api.createScheduledChange({ ...at, body }, { as })
    pass(hour)
    const one = { delivered: 1, failed: 0, more: true }
    const told = () => receiver.received.length
    expect([await here.runDueTasks({ limit: 1 }), told()]).toEqual([one, 0])
    expect((await here.api.getFlag(flag, { as })).environments?.production?.on).toBe(true)
    // The message about the schedule, and the one about the scheduled change.
    for (const many of [1, 2]) expect([await here.runDueTasks({ limit: 1 }), told()]).toEqual([one, many])
    expect(await here.runDueTasks({ limit: 1 })).toEqual({ delivered: 0, failed: 0, more: false })
  })
})
