import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine, type LogEntry } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { controlled, day, environmentKeys, hour, start } from './test/controlled-storage.ts'

/** Makes a project `web` with the flags `a` and `b`, and engines on one storage, as in several processes. */
async function reportingEngines({ engines = 1, flushMs = 0 } = {}) {
  let now = start
  const log: LogEntry[] = []
  const { storage, setDown } = controlled(createMemoryStorage())
  const allEngines = Array.from({ length: engines }, () =>
    createEngine({ storage, clock: () => now, sdk: { flushMs }, log: (entry) => log.push(entry) }),
  )
  const [engine] = allEngines as [(typeof allEngines)[0]]
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['a', 'b']) await engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })

  async function report(counts: Readonly<Record<string, number>>, id?: string, toEngine = engine) {
    const features = Object.fromEntries(
      Object.entries(counts).map(([key, count]) => [key, { counters: [{ variation: 0, version: 1, count }] }]),
    )
    const response = await toEngine.sdk.handle(
      engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: now, features }], {
        authorization: apiKey,
        ...(id === undefined ? {} : { 'x-launchdarkly-payload-id': id }),
      }),
    )
    expect(response?.status).toBe(202)
  }

  return {
    engine,
    engines: allEngines,
    api: engine.api,
    as,
    log,
    setDown,
    report,
    pass: (ms: number) => (now += ms),
    counts: (flagKey: string, range: { from?: number; to?: number } = {}) =>
      engine.sdk.evaluations({ ...environmentKeys, flagKey, ...range }),
    total: async (flagKey: string) =>
      (await engine.sdk.evaluations({ ...environmentKeys, flagKey })).reduce((sum, { count }) => sum + count, 0),
    status: (flagKey: string) => engine.api.getFlagStatus({ ...environmentKeys, flagKey }, { as }),
  }
}

describe('reported evaluations', () => {
  it('are counted by hour, and read by a half-open range', async () => {
    const { report, pass, counts } = await reportingEngines()
    await report({ a: 1 })
    pass(10 * 60 * 1000)
    await report({ a: 2, b: 5 })
    pass(hour)
    await report({ a: 4 })
    const contents = Date.UTC(2026, 10, 2, 9)
    expect(await counts('a')).toEqual([
      { from: contents, variation: 0, count: 3 },
      { from: contents + hour, variation: 0, count: 4 },
    ])
    expect(await counts('a', { from: contents, to: contents + hour })).toHaveLength(1)
    expect(await counts('a', { from: contents + 1 })).toEqual([{ from: contents + hour, variation: 0, count: 4 }])
  })

  it('are written when the interval has passed, on flush, and on close', async () => {
    const { engine, engines, report, pass, total } = await reportingEngines({ engines: 2, flushMs: 10_000 })
    await report({ a: 1 })
    expect(await total('a')).toBe(0)
    await engine.sdk.flush()
    expect(await total('a')).toBe(1)
    await report({ a: 1 })
    pass(9_999)
    await engine.sdk.beat()
    expect(await total('a')).toBe(1)
    pass(1)
    await engine.sdk.beat()
    expect(await total('a')).toBe(2)
    const secondEngine = engines[1] as typeof engine
    await report({ a: 1 }, undefined, secondEngine)
    await secondEngine.close()
    expect(await total('a')).toBe(3)
  })

  it('are counted once when reports reach several processes and are repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            by: fc.nat(2),
            id: fc.option(fc.nat(5), { nil: undefined }),
            a: fc.integer({ min: 1, max: 9 }),
            b: fc.integer({ min: 1, max: 9 }),
          }),
          { maxLength: 12 },
        ),
        fc.constantFrom(0, 60_000),
        async (reports, flushMs) => {
          const { engines, report, total } = await reportingEngines({ engines: 3, flushMs })
          const expected = { a: 0, b: 0 }
          const countedIds = new Set<number>()
          const contents = new Map<number, { a: number; b: number }>()
          // A repeated report has the same content.
          const reportsToSend = reports.map(({ by: toEngine, id, a, b }) => {
            const content = id === undefined ? { a, b } : (contents.get(id) ?? { a, b })
            if (id !== undefined) contents.set(id, content)
            return { by: toEngine, id, content }
          })
          for (const { id, content } of reportsToSend) {
            if (id !== undefined && countedIds.has(id)) continue
            if (id !== undefined) countedIds.add(id)
            expected.a += content.a
            expected.b += content.b
          }
          await Promise.all(
            reportsToSend.map(({ by: toEngine, id, content }) =>
              report(content, id === undefined ? undefined : `r-${id}`, engines[toEngine]),
            ),
          )
          await Promise.all(engines.map((engine) => engine.sdk.flush()))
          expect({ a: await total('a'), b: await total('b') }).toEqual(expected)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('stay pending while the storage rejects writes', async () => {
    const { engine, report, setDown, total, log } = await reportingEngines()
    setDown(true)
    await report({ a: 1 }, 'first')
    await report({ a: 2 }, 'second')
    await report({ a: 2 }, 'second')
    expect(log.map(({ event }) => event)).toContain('events-not-written')
    setDown(false)
    await engine.sdk.flush()
    expect(await total('a')).toBe(3)
  })

  it('are deleted after ninety days, and with their flag', async () => {
    const { engine, api, as, report, pass, counts } = await reportingEngines()
    await report({ a: 1, b: 1 }, 'first')
    pass(90 * day - hour)
    await engine.compact()
    await report({ a: 2 })
    expect(await counts('a')).toHaveLength(2)
    pass(hour)
    await engine.compact()
    expect((await counts('a')).map(({ count }) => count)).toEqual([2])
    await api.deleteFlag({ projectKey: 'web', flagKey: 'a' }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'a' } }, { as })
    expect(await counts('a')).toEqual([])
  })
})

describe('the status of a flag', () => {
  const timestamp = (ms: number) => String(ms)

  it('depends on evaluations only after they have been counted for a whole status period', async () => {
    const { report, pass, status, api, as } = await reportingEngines()
    await api.patchFlag(
      {
        projectKey: 'web',
        flagKey: 'b',
        body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never,
      },
      { as },
    )
    await report({ a: 1 })
    expect(await status('a')).toMatchObject({ name: 'active', lastRequested: timestamp(start) })
    pass(7 * day - 1)
    // No evaluation of `b` was counted. It is active all the same until counting has run for a whole status period,
    // because evaluations from before the count are unknown.
    expect(await status('b')).toMatchObject({ name: 'active', lastRequested: null })
    expect(await status('a')).toMatchObject({ name: 'active' })
    pass(1)
    expect(await status('b')).toMatchObject({ name: 'inactive', lastRequested: null })
    expect(await status('a')).toMatchObject({ name: 'inactive', lastRequested: timestamp(start) })
    await report({ a: 1, b: 1 })
    expect(await status('a')).toMatchObject({ name: 'active', lastRequested: timestamp(start + 7 * day) })
    expect(await status('b')).toMatchObject({ name: 'launched', lastRequested: timestamp(start + 7 * day) })
  })

  it('is specific to an environment, and the chart of stale flags uses it', async () => {
    const { report, pass, as, api } = await reportingEngines()
    const stale = async (environmentKey: string) => {
      const query = { projectKey: 'web', environmentKey } as const
      return (await api.getStaleFlagsChart(query, { as })).metadata.summary.stale
    }
    await report({ b: 1 })
    pass(40 * day)
    // The flag is off and is not evaluated, so it is no longer needed.
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([2, 2])
    await report({ b: 1 })
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([1, 2])
    await report({ a: 1 })
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([0, 2])
    const test = await api.getFlagStatus({ projectKey: 'web', environmentKey: 'test', flagKey: 'a' }, { as })
    expect(test).toMatchObject({ name: 'inactive', lastRequested: null })
  })
})
