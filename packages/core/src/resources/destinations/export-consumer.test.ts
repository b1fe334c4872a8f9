import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import type { ExportBatch } from '../../operation/exporter.ts'
import { engineRequest } from '../account/test/calls.ts'
import { eventsTask, exportAttempts, exportTasks, maxWaitingTasks, waitingEvents } from './destination-outbox.ts'
import { create, environmentKeys, pubsub, webEngine } from './test/destination-engine.ts'
import { exportingEngine, recordingExporter } from './test/recording-exporter.ts'

const ann = { kind: 'multi', user: { key: 'ann', email: 'ann@example.com' }, device: { key: 'd-1' } } as const

const eventsOf = (batches: readonly ExportBatch[]) => batches.flatMap(({ events }) => events)

/** Makes an engine with a destination that is on, and returns it with its storage. */
async function engineWithStorage() {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, exporters: [recordingExporter().exporter] })
  const as = { role: 'owner' } as const
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const { _id: id } = await engine.api.createDestination({ ...environmentKeys, body: { ...pubsub, on: true } }, { as })
  return { engine, account: storage.account('default'), as, id }
}

describe('the export of events', () => {
  it('sends evaluations and custom events of SDKs with the keys of their contexts, once for each report', async () => {
    const { engine, recorder, createFlag, as } = await exportingEngine()
    await createFlag('checkout')
    await engine.runDueTasks()
    recorder.batches.length = 0
    const { apiKey } = await engine.api.getEnvironment(environmentKeys, as)
    const at = Date.UTC(2026, 0, 1) - 1_000
    const feature = {
      kind: 'feature',
      creationDate: at,
      key: 'checkout',
      version: 3,
      variation: 1,
      value: false,
      context: ann,
    }
    const body = [
      feature,
      { ...feature, kind: 'debug' },
      { ...feature, key: 'unknown' },
      {
        kind: 'custom',
        creationDate: at,
        key: 'purchase',
        data: { item: 'hat' },
        metricValue: 9.5,
        contextKeys: { user: 'ann' },
      },
      { kind: 'summary', features: {} },
    ]
    const headers = { authorization: apiKey, 'x-launchdarkly-payload-id': 'report-1' }
    for (let n = 0; n < 2; n++) await engine.sdk.handle(engineRequest('POST', '/bulk', body, headers))
    await engine.sdk.flush()
    await engine.runDueTasks()
    const common = { schemaVersion: 1, time: at, ...environmentKeys }
    expect(eventsOf(recorder.batches)).toEqual([
      {
        ...common,
        id: expect.any(String),
        kind: 'evaluation',
        contextKeys: { user: 'ann', device: 'd-1' },
        flagKey: 'checkout',
        flagVersion: 3,
        variation: 1,
        value: false,
      },
      {
        ...common,
        id: expect.any(String),
        kind: 'custom',
        contextKeys: { user: 'ann' },
        key: 'purchase',
        data: { item: 'hat' },
        metricValue: 9.5,
      },
    ])
  })

  it('sends tracked events in order, in batches of 500, with an id of its own for each', async () => {
    const { engine, recorder } = await exportingEngine()
    for (let value = 0; value < 1_200; value++) engine.track('k', ann, { value }, environmentKeys)
    await engine.sdk.flush()
    await engine.runDueTasks()
    expect(recorder.batches.map(({ events }) => events.length)).toEqual([500, 500, 200])
    const events = eventsOf(recorder.batches)
    expect(events.map((event) => (event.kind === 'custom' ? event.metricValue : undefined))).toEqual(
      Array.from({ length: 1_200 }, (_, value) => value),
    )
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_200)
  })

  it('sends events and changes in the order in which they were stored', async () => {
    const { engine, createFlag, titles, advance } = await exportingEngine()
    for (const key of ['a', 'b']) {
      await createFlag(key)
      advance(1)
      engine.track('k', ann, {}, environmentKeys)
      await engine.sdk.flush()
      advance(1)
    }
    await engine.runDueTasks()
    expect(titles()).toEqual(['created the flag a', 'custom', 'created the flag b', 'custom'])
  })

  it.each([0, -5])('sends changes and events in their order when the clock moves by %i ms between them', async (ms) => {
    const { recorder, exporter } = recordingExporter()
    let now = Date.UTC(2026, 0, 1)
    const engine = createEngine({ storage: createMemoryStorage(), exporters: [exporter], clock: () => now })
    const as = { role: 'owner' } as const
    const createFlag = (key: string) => engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createDestination({ ...environmentKeys, body: { ...pubsub, on: true } }, { as })
    await createFlag('a')
    now += ms
    engine.track('k', ann, {}, environmentKeys)
    await engine.sdk.flush()
    await createFlag('b')
    now += 10
    await engine.runDueTasks()
    expect(eventsOf(recorder.batches).map(({ kind }) => kind)).toEqual(['change', 'custom', 'change'])
  })

  it('gives every destination of the environment the same ids, and none of another environment', async () => {
    const { recorder, exporter } = recordingExporter()
    const engine = await webEngine({ exporters: [exporter] })
    for (const name of ['A', 'B']) await create(engine, { ...pubsub, name, on: true })
    await create(engine, { ...pubsub, on: true }, engine.admin, { environmentKey: 'test' })
    engine.track('k', ann, {}, environmentKeys)
    await engine.sdk.flush()
    await engine.runDueTasks()
    const sent = recorder.batches.map(({ events }) => events.filter(({ kind }) => kind === 'custom'))
    expect(sent).toEqual([[expect.objectContaining({ key: 'k' })], sent[0]])
  })

  it('removes the events from the storage when they were sent', async () => {
    const { engine, account, id } = await engineWithStorage()
    engine.track('k', ann, {}, environmentKeys)
    await engine.sdk.flush()
    const stored = async () => {
      const series = { name: 'export-events', scope: `proj/web:env/production:destination/${id}` }
      return (await account.newest({ series, limit: 9 })).length
    }
    expect(await stored()).toBe(1)
    await engine.runDueTasks()
    expect(await stored()).toBe(0)
  })

  it('removes the events and the attempts of a destination that is deleted', async () => {
    const { engine, account, as, id } = await engineWithStorage()
    const keys = { ...environmentKeys, id }
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'A' } }, { as })
    await engine.runDueTasks()
    engine.track('k', ann, {}, environmentKeys)
    await engine.sdk.flush()
    const stored = async () => [
      (await account.listTasks(exportTasks.id(keys), { limit: 9 })).length,
      (await account.newest({ series: waitingEvents.id(keys), limit: 9 })).length,
      (await account.newest({ series: exportAttempts.id(keys), limit: 9 })).length,
    ]
    expect(await stored()).toEqual([1, 1, 1])
    await engine.api.deleteDestination(keys, { as })
    expect(await stored()).toEqual([0, 0, 0])
  })

  it('drops further events of a destination with a full outbox, and records that', async () => {
    const { engine, account, as, id } = await engineWithStorage()
    const keys = { ...environmentKeys, id }
    const tasks = Array.from({ length: maxWaitingTasks }, (_, n) =>
      eventsTask(`t${n}`, { at: n, due: n, count: 1, characters: 9 }),
    )
    await account.commit([{ do: 'enqueue', queue: exportTasks.id(keys), tasks }])
    engine.track('k', ann, {}, environmentKeys)
    await engine.sdk.flush()
    const attempts = await account.newest({ series: exportAttempts.id(keys), limit: 9 })
    expect(attempts).toHaveLength(1)
    const { items } = await engine.api.listDestinationDeliveries(keys, { as })
    expect(items).toMatchObject([{ outcome: 'dropped', events: 1 }])
    expect((await account.listTasks(exportTasks.id(keys), { limit: 99_999 })).length).toBe(maxWaitingTasks)
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'A' } }, { as })
    expect((await account.listTasks(exportTasks.id(keys), { limit: 99_999 })).length).toBe(maxWaitingTasks + 1)
  })
})
