import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  createEngineOf,
  createProject,
  deleteEnvironment,
  type EventConsumer,
  evaluators,
  getEnvironment,
  sdkEndpoints,
} from '../../entries/operations.ts'
import type { LogEntry } from '../../index.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import { engineRequest } from '../account/test/calls.ts'
import { controlled, environmentKeys, start } from '../flag-evaluations/test/controlled-storage.ts'
import { writeChange } from './write-change.ts'

interface TestSum extends Versioned {
  readonly sum: number
}

const testSums = documents<TestSum>()({
  name: 'test-sum',
  address: 'proj/{projectKey}:env/{environmentKey}:test-sum/{name}',
})

/** Makes a consumer that adds up the values of custom events. It calls `onChanges` before it makes its changes. */
function summing(name: string, onChanges = async () => {}): EventConsumer<number> {
  return {
    take: ({ events }) => events.flatMap((event) => (event.kind === 'custom' ? (event.value ?? []) : [])),
    async changes(storage, keys, values) {
      const [document] = await storage.getMany([testSums.id({ ...keys, name })])
      const before = document?.body as TestSum | undefined
      await onChanges()
      const sum = values.reduce((a, b) => a + b, before?.sum ?? 0)
      return [writeChange(testSums, { ...keys, name }, before, { sum })]
    },
  }
}

/** Makes engines on one storage, as in several processes, with the consumers `first` and `second`. */
async function consumingEngines({ flushMs = 0, engines = 1, onChanges = async () => {} } = {}) {
  const log: LogEntry[] = []
  const { storage, setDown } = controlled(createMemoryStorage())
  const createEngine = createEngineOf({
    operations: [createProject, deleteEnvironment, getEnvironment],
    evaluators,
    sdkEndpoints,
    eventConsumers: [summing('first'), summing('second', onChanges)],
  })
  const allEngines = Array.from({ length: engines }, () =>
    createEngine({ storage, clock: () => start, sdk: { flushMs }, log: (entry) => log.push(entry) }),
  )
  const [engine] = allEngines as [(typeof allEngines)[0]]
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const { apiKey, _id } = await engine.api.getEnvironment(environmentKeys, { as })
  const account = storage.account('default')
  return {
    engine,
    engines: allEngines,
    api: engine.api,
    as,
    setDown,
    log,
    async report(value: number, id?: string, toEngine = engine, path = '/bulk') {
      const response = await toEngine.sdk.handle(
        engineRequest('POST', path.replace('{id}', _id), [{ kind: 'custom', key: 'k', metricValue: value }], {
          authorization: apiKey,
          ...(id === undefined ? {} : { 'x-launchdarkly-payload-id': id }),
        }),
      )
      expect(response?.status).toBe(202)
    },
    async sums() {
      const stored = await account.getMany(['first', 'second'].map((name) => testSums.id({ ...environmentKeys, name })))
      return stored.map((document) => (document?.body as TestSum | undefined)?.sum)
    },
  }
}

const ann = { kind: 'user', key: 'ann' }

describe('the intake of events', () => {
  it('lets a report take effect once for each consumer, whichever engines receive it', async () => {
    const { engines, report, sums } = await consumingEngines({ engines: 2, flushMs: 60_000 })
    const [one, two] = engines
    await report(1, 'a', one)
    await report(1, 'a', one)
    await report(10, 'b', one)
    await one?.sdk.flush()
    await report(1, 'a', two)
    await report(100, 'c', two)
    await two?.sdk.flush()
    await report(100, 'c', one)
    await one?.sdk.flush()
    expect(await sums()).toEqual([111, 111])
  })

  it('keeps the events of all reports when some of them cannot be written', async () => {
    const { engine, report, setDown, sums } = await consumingEngines()
    setDown(true)
    await report(1, 'a')
    engine.track('k', ann, { value: 10 }, environmentKeys)
    await report(1, 'a')
    setDown(false)
    await engine.sdk.flush()
    expect(await sums()).toEqual([11, 11])
  })

  it('accepts the events of `track`, and writes waiting events when the engine is closed', async () => {
    const { engine, sums } = await consumingEngines({ flushMs: 60_000 })
    for (let value = 1; value <= 2_500; value++) engine.track('k', ann, { value }, environmentKeys)
    expect(await sums()).toEqual([undefined, undefined])
    await engine.close()
    const expected = (2_500 * 2_501) / 2
    expect(await sums()).toEqual([expected, expected])
  })

  it('starts to write when many events wait', async () => {
    const { engine, sums } = await consumingEngines({ flushMs: 60_000 })
    for (let i = 0; i < 50_000; i++) engine.track('k', ann, { value: 1 }, environmentKeys)
    await expect.poll(sums, { interval: 1, timeout: 20_000 }).toEqual([50_000, 50_000])
  })

  it('keeps at most 100,000 items while the storage is unavailable', async () => {
    const { engine, setDown, sums, log } = await consumingEngines({ flushMs: 60_000 })
    setDown(true)
    for (let i = 0; i < 60_000; i++) engine.track('k', ann, { value: 1 }, environmentKeys)
    await engine.sdk.beat()
    setDown(false)
    await engine.sdk.flush()
    expect(await sums()).toEqual([50_000, 50_000])
    expect(log.map(({ event, message }) => `${event} ${message ?? ''}`)).toContain('events-lost 20000 items')
  })

  it('drops the events of an environment that was deleted', async () => {
    const { engine, api, as, sums } = await consumingEngines({ flushMs: 60_000 })
    engine.track('k', ann, { value: 1 }, environmentKeys)
    await api.deleteEnvironment(environmentKeys, { as })
    await engine.sdk.flush()
    expect(await sums()).toEqual([undefined, undefined])
  })

  it('drops the events of an environment that is deleted while they are written', async () => {
    let deleteOnce = async () => {}
    const { engine, api, as, sums } = await consumingEngines({ flushMs: 60_000, onChanges: () => deleteOnce() })
    deleteOnce = async () => {
      deleteOnce = async () => {}
      await api.deleteEnvironment(environmentKeys, { as })
    }
    engine.track('k', ann, { value: 1 }, environmentKeys)
    await engine.sdk.flush()
    expect(await sums()).toEqual([undefined, undefined])
  })

  it('recognizes a repetition by a sender without a secret while the report is pending', async () => {
    const { engine, report, sums } = await consumingEngines({ flushMs: 60_000 })
    await report(1, 'a', engine, '/events/bulk/{id}')
    await report(1, 'a', engine, '/events/bulk/{id}')
    await engine.sdk.flush()
    expect(await sums()).toEqual([1, 1])
  })
})

describe('engine.track', () => {
  it.each([
    ['key', '', ann, 1],
    ['key', 'k'.repeat(1001), ann, 1],
    ['context', 'k', { kind: 'user' }, 1],
    ['value', 'k', ann, Number.NaN],
    ['value', 'k', ann, -1e308],
  ] as const)('names the attribute `%s` when it is invalid', async (attribute, key, context, value) => {
    const { engine } = await consumingEngines()
    expect(() => engine.track(key, context, { value }, environmentKeys)).toThrow(
      expect.objectContaining({ errors: [{ attribute, reason: expect.any(String) }] }),
    )
  })

  it('fails in an engine without endpoints for SDKs', async () => {
    const engine = createEngineOf({ operations: [] })({ storage: createMemoryStorage() })
    expect(() => engine.track('k', ann, {}, environmentKeys)).toThrow('without sdkEndpoints')
    await engine.close()
  })
})
