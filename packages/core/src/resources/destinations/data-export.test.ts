import { describe, expect, it } from 'vitest'
import { failureOf } from '../account/test/calls.ts'
import {
  create,
  environmentKeys,
  patch,
  pubsub,
  replaceOperation,
  segment,
  webEngine,
} from './test/destination-engine.ts'
import { exportingEngine, recordingExporter } from './test/recording-exporter.ts'

const minute = 60_000
const day = 24 * 60 * minute
const failed = { outcome: 'failed', reason: 'The destination responded with 500.', status: 500 } as const

describe('the export of changes', () => {
  it('sends the changes of the environment in order, in one batch', async () => {
    const { engine, recorder, createFlag, titles, as, keys } = await exportingEngine()
    await createFlag('a')
    await createFlag('b')
    await engine.runDueTasks()
    expect(recorder.batches).toHaveLength(1)
    expect(titles()).toEqual(['created the flag a', 'created the flag b'])
    const [entry] = (await engine.api.listChangeLog({ limit: 1 }, as)).items
    expect(recorder.batches[0]?.events[1]).toMatchObject({
      schemaVersion: 1,
      id: entry?._id,
      kind: 'change',
      ...environmentKeys,
      change: { _id: entry?._id, date: expect.any(Number) },
    })
    expect(await engine.api.listDestinationDeliveries(keys, as)).toMatchObject({
      items: [{ outcome: 'success', number: 1, events: 2, status: 200 }],
      waiting: false,
    })
  })

  it('sends no changes of other environments, of other projects, of the account, or of the destination itself', async () => {
    const { engine, as, keys, titles } = await exportingEngine()
    await engine.given.project('shop')
    await engine.api.createFlag({ projectKey: 'shop', body: { key: 'a', name: 'A' } }, as)
    const flag = { projectKey: 'web', flagKey: 'b' }
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'b', name: 'B' } }, as)
    for (const environmentKey of ['test', 'production']) {
      const instructions = [{ kind: 'turnFlagOn' as const }]
      await engine.api.patchFlag({ ...flag, body: { environmentKey, instructions } }, as)
    }
    await patch(engine, keys.id, replaceOperation('/name', 'Renamed'))
    await engine.api.createTeam({ body: { key: 'team', name: 'Team' } }, as)
    await engine.runDueTasks()
    expect(titles()).toEqual(['created the flag B', 'turned on B in Production'])
  })

  it('stores nothing for a destination that is off, and for an engine without exporters', async () => {
    const { engine, keys, createFlag, recorder } = await exportingEngine()
    await patch(engine, keys.id, replaceOperation('/on', false))
    await createFlag('a')
    await patch(engine, keys.id, replaceOperation('/on', true))
    await engine.runDueTasks()
    expect(recorder.batches).toEqual([])
    const plain = await webEngine()
    const { _id } = await create(plain, { ...pubsub, on: true })
    await plain.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'A' } }, { as: plain.admin })
    const { waiting } = await plain.api.listDestinationDeliveries({ ...environmentKeys, id: _id }, { as: plain.admin })
    expect(waiting).toBe(false)
  })

  it('passes the secrets and the external id to the exporter, and stores them in no attempt', async () => {
    const { recorder, exporter } = recordingExporter('segment')
    const engine = await webEngine({
      exporters: [exporter],
      dataExportRoleArn: 'arn:aws:iam::123456789012:role/export',
    })
    const { awsTrustPolicy } = await engine.api.generateTrustPolicy(environmentKeys, { as: engine.admin })
    const { _id: id } = await create(engine, { ...segment, on: true })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'A' } }, { as: engine.admin })
    await engine.runDueTasks()
    expect(recorder.batches[0]).toMatchObject({
      config: { writeKey: 'write-key-1' },
      externalId: awsTrustPolicy.Statement[0]?.Condition.StringEquals['sts:ExternalId'],
    })
    const answers = [await engine.api.listDestinationDeliveries({ ...environmentKeys, id }, { as: engine.admin })]
    expect(JSON.stringify([answers, recorder.batches[0]?.events])).not.toContain('write-key-1')
  })
})

describe('a destination that fails', () => {
  it('gets the same events again at the times of the retry plan, and later events after them', async () => {
    const { engine, advance, recorder, createFlag, titles, deliveries } = await exportingEngine()
    recorder.next = failed
    await createFlag('a')
    await engine.runDueTasks()
    await createFlag('b')
    await engine.runDueTasks()
    expect(titles()).toEqual(['created the flag a'])
    expect(await deliveries()).toMatchObject({
      items: [{ outcome: 'failure', reason: failed.reason, status: 500, number: 1 }],
      waiting: true,
    })
    advance(6_000)
    recorder.next = { outcome: 'sent' }
    await engine.runDueTasks()
    expect(titles().slice(1)).toEqual(['created the flag a', 'created the flag b'])
    expect(recorder.batches[1]?.id).toBe(recorder.batches[0]?.id)
    expect((await deliveries()).items[0]).toMatchObject({ outcome: 'success', number: 2, events: 2 })
  })

  it('gets no request before the time of its Retry-After', async () => {
    const { engine, advance, recorder, createFlag } = await exportingEngine()
    recorder.next = { outcome: 'failed', reason: 'Slow down.', status: 429, retryAfter: '120' }
    await createFlag('a')
    await engine.runDueTasks()
    advance(119_000)
    await engine.runDueTasks()
    expect(recorder.batches).toHaveLength(1)
    advance(1_000)
    await engine.runDueTasks()
    expect(recorder.batches).toHaveLength(2)
  })

  it('is turned off after three days, and gets the waiting events when it is turned on again', async () => {
    const { engine, advance, recorder, createFlag, keys, as, titles } = await exportingEngine()
    recorder.next = failed
    await createFlag('a')
    for (let hours = 0; hours < 100; hours++) {
      await engine.runDueTasks()
      advance(60 * minute)
    }
    const off = await engine.api.getDestination(keys, as)
    expect(off).toMatchObject({ on: false, disabledReason: 'Every attempt of the last three days failed.' })
    const attempts = recorder.batches.length
    recorder.next = { outcome: 'sent' }
    const on = await patch(engine, keys.id, replaceOperation('/on', true))
    expect(on.disabledReason).toBeUndefined()
    advance(minute)
    await engine.runDueTasks()
    expect(titles().slice(attempts)).toEqual(['created the flag a'])
  })

  it('loses its waiting events after it has been off for a week, and the list of attempts shows the loss', async () => {
    const { engine, advance, createFlag, keys, recorder, deliveries } = await exportingEngine()
    await createFlag('a')
    await createFlag('b')
    await patch(engine, keys.id, replaceOperation('/on', false))
    advance(7 * day - 1_000)
    await engine.runDueTasks()
    expect(await deliveries()).toMatchObject({ items: [], waiting: true })
    advance(day)
    await engine.runDueTasks()
    const reason = 'The destination was off for a week.'
    expect(await deliveries()).toMatchObject({ items: [{ outcome: 'dropped', reason, events: 2 }], waiting: false })
    expect(recorder.batches).toEqual([])
  })

  it('loses the waiting events when it is deleted', async () => {
    const { engine, createFlag, keys, as, recorder } = await exportingEngine()
    await createFlag('a')
    await engine.api.deleteDestination(keys, as)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    expect(recorder.batches).toEqual([])
  })

  it('reports a failure of the exporter without the message of its error', async () => {
    const entries: unknown[] = []
    const engine = await webEngine({
      exporters: [{ kind: 'google-pubsub', send: () => Promise.reject(new TypeError('secret-7')) }],
      log: (entry) => entries.push(entry),
    })
    const { _id: id } = await create(engine, { ...pubsub, on: true })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'A' } }, { as: engine.admin })
    await engine.runDueTasks()
    const { items } = await engine.api.listDestinationDeliveries({ ...environmentKeys, id }, { as: engine.admin })
    expect(items).toMatchObject([{ outcome: 'failure', reason: 'The exporter failed.' }])
    expect(entries).toEqual([{ level: 'error', event: 'data-export-failed', message: 'google-pubsub: TypeError' }])
  })
})

describe('a replay', () => {
  it('sends the changes of a range again, and the waiting events immediately', async () => {
    const { engine, advance, createFlag, keys, as, recorder, titles } = await exportingEngine()
    await createFlag('a')
    await engine.runDueTasks()
    advance(minute)
    recorder.next = failed
    await createFlag('b')
    await engine.runDueTasks()
    recorder.next = { outcome: 'sent' }
    const { count } = await engine.api.replayDestination({ ...keys, body: { after: 0 } }, as)
    expect(count).toBe(2)
    const before = titles().length
    await engine.runDueTasks()
    expect(titles().slice(before)).toEqual(['created the project web', 'created the flag a', 'created the flag b'])
  })

  it.each([
    [{ after: 5, before: 5 }, 'before'],
    [{ after: 'soon' }, 'after'],
  ])('names the attribute that is invalid: %j', async (body, attribute) => {
    const { engine, keys, as } = await exportingEngine()
    const { errors } = await failureOf(engine.api.replayDestination({ ...keys, body: body as never }, as))
    expect(errors).toMatchObject([{ attribute }])
  })

  it('is refused while the destination is off', async () => {
    const { engine, keys, as } = await exportingEngine()
    await patch(engine, keys.id, replaceOperation('/on', false))
    const { errors } = await failureOf(engine.api.replayDestination({ ...keys, body: {} }, as))
    expect(errors).toMatchObject([{ attribute: 'on' }])
  })
})

describe('createEngine', () => {
  it('refuses two exporters of one kind', async () => {
    const { exporter } = recordingExporter()
    await expect(webEngine({ exporters: [exporter, exporter] })).rejects.toThrow(/^exporters: /)
  })

  it('refuses a destination whose kind has no exporter, and names the kinds with an exporter', async () => {
    const { engine } = await exportingEngine()
    const { errors } = await failureOf(create(engine, segment))
    const reason = 'must be one of "google-pubsub", for which this engine has exporters'
    expect(errors).toEqual([{ attribute: 'kind', reason }])
  })

  it('accepts destinations of every kind when another engine sends the events', async () => {
    const engine = await webEngine({ exporters: [] })
    expect(await create(engine, segment)).toMatchObject({ kind: 'segment' })
  })
})
