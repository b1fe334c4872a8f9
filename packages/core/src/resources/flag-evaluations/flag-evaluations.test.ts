import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine, type LogEntry } from '../../index.ts'
import { wireRequest } from '../account/test/calls.ts'
import { day, hour, movable, place, start } from './test/movable-storage.ts'

/** Makes a project `web` with the flags `a` and `b`, and engines on one storage, as in several processes. */
async function world({ engines = 1, flushMs = 0 } = {}) {
  let now = start
  const log: LogEntry[] = []
  const { storage, setDown } = movable(createMemoryStorage())
  const made = Array.from({ length: engines }, () =>
    createEngine({ storage, clock: () => now, sdk: { flushMs }, log: (entry) => log.push(entry) }),
  )
  const [engine] = made as [(typeof made)[0]]
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['a', 'b']) await engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
  const { apiKey } = await engine.api.getEnvironment(place, { as })

  async function report(counts: Readonly<Record<string, number>>, id?: string, by = engine) {
    const features = Object.fromEntries(
      Object.entries(counts).map(([key, count]) => [key, { counters: [{ variation: 0, version: 1, count }] }]),
    )
    const answer = await by.sdk.handle(
      wireRequest('POST', '/bulk', [{ kind: 'summary', endDate: now, features }], {
        authorization: apiKey,
        ...(id === undefined ? {} : { 'x-launchdarkly-payload-id': id }),
      }),
    )
    expect(answer?.status).toBe(202)
  }

  return {
    engine,
    engines: made,
    api: engine.api,
    as,
    log,
    setDown,
    report,
    pass: (ms: number) => (now += ms),
    counts: (flagKey: string, range: { from?: number; to?: number } = {}) =>
      engine.sdk.evaluations({ ...place, flagKey, ...range }),
    total: async (flagKey: string) =>
      (await engine.sdk.evaluations({ ...place, flagKey })).reduce((sum, { count }) => sum + count, 0),
    status: (featureFlagKey: string) => engine.api.getFlagStatus({ ...place, featureFlagKey }, { as }),
  }
}

describe('reported evaluations', () => {
  it('are counted by hour, and read by a half-open range', async () => {
    const { report, pass, counts } = await world()
    await report({ a: 1 })
    pass(10 * 60 * 1000)
    await report({ a: 2, b: 5 })
    pass(hour)
    await report({ a: 4 })
    const first = Date.UTC(2026, 10, 2, 9)
    expect(await counts('a')).toEqual([
      { from: first, variation: 0, count: 3 },
      { from: first + hour, variation: 0, count: 4 },
    ])
    expect(await counts('a', { from: first, to: first + hour })).toHaveLength(1)
    expect(await counts('a', { from: first + 1 })).toEqual([{ from: first + hour, variation: 0, count: 4 }])
  })

  it('are written when the interval has passed, on flush, and on close', async () => {
    const { engine, engines, report, pass, total } = await world({ engines: 2, flushMs: 10_000 })
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
    const other = engines[1] as typeof engine
    await report({ a: 1 }, undefined, other)
    await other.close()
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
          const { engines, report, total } = await world({ engines: 3, flushMs })
          const counted = { a: 0, b: 0 }
          const seen = new Set<number>()
          const first = new Map<number, { a: number; b: number }>()
          // A repeated report has the same content.
          const sent = reports.map(({ by, id, a, b }) => {
            const content = id === undefined ? { a, b } : (first.get(id) ?? { a, b })
            if (id !== undefined) first.set(id, content)
            return { by, id, content }
          })
          for (const { id, content } of sent) {
            if (id !== undefined && seen.has(id)) continue
            if (id !== undefined) seen.add(id)
            counted.a += content.a
            counted.b += content.b
          }
          await Promise.all(
            sent.map(({ by, id, content }) => report(content, id === undefined ? undefined : `r-${id}`, engines[by])),
          )
          await Promise.all(engines.map((engine) => engine.sdk.flush()))
          expect({ a: await total('a'), b: await total('b') }).toEqual(counted)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('stay pending while the storage rejects writes', async () => {
    const { engine, report, setDown, total, log } = await world()
    setDown(true)
    await report({ a: 1 }, 'first')
    await report({ a: 2 }, 'second')
    await report({ a: 2 }, 'second')
    expect(log.map(({ event }) => event)).toContain('evaluations-not-written')
    setDown(false)
    await engine.sdk.flush()
    expect(await total('a')).toBe(3)
  })

  it('are deleted after ninety days, and with their flag', async () => {
    const { engine, api, as, report, pass, counts } = await world()
    await report({ a: 1, b: 1 }, 'first')
    pass(90 * day - hour)
    await engine.compact()
    await report({ a: 2 })
    expect(await counts('a')).toHaveLength(2)
    pass(hour)
    await engine.compact()
    expect((await counts('a')).map(({ count }) => count)).toEqual([2])
    await api.deleteFlag({ projectKey: 'web', featureFlagKey: 'a' }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'a' } }, { as })
    expect(await counts('a')).toEqual([])
  })
})

describe('the status of a flag', () => {
  const at = (ms: number) => String(ms)

  it('follows evaluations after they were counted for the length of a status period', async () => {
    const { report, pass, status, api, as } = await world()
    await api.patchFlag(
      {
        projectKey: 'web',
        featureFlagKey: 'b',
        body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never,
      },
      { as },
    )
    await report({ a: 1 })
    expect(await status('a')).toMatchObject({ name: 'active', lastRequested: at(start) })
    pass(7 * day - 1)
    // It is not known yet whether `b` is evaluated: evaluations before the counting started are unknown.
    expect(await status('b')).toMatchObject({ name: 'active', lastRequested: null })
    expect(await status('a')).toMatchObject({ name: 'active' })
    pass(1)
    expect(await status('b')).toMatchObject({ name: 'inactive', lastRequested: null })
    expect(await status('a')).toMatchObject({ name: 'inactive', lastRequested: at(start) })
    await report({ a: 1, b: 1 })
    expect(await status('a')).toMatchObject({ name: 'active', lastRequested: at(start + 7 * day) })
    expect(await status('b')).toMatchObject({ name: 'launched', lastRequested: at(start + 7 * day) })
  })

  it('is specific to an environment, and the chart of stale flags uses it', async () => {
    const { report, pass, as, api } = await world()
    const stale = async (environmentKey: string) => {
      const query = { projectKey: 'web', environmentKey } as const
      return (await api.getStaleFlagsChart(query, { as })).metadata.summary.stale
    }
    await report({ b: 1 })
    pass(40 * day)
    // Off and not evaluated, so the flag is no longer needed.
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([2, 2])
    await report({ b: 1 })
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([1, 2])
    await report({ a: 1 })
    expect(await Promise.all(['production', 'test'].map(stale))).toEqual([0, 2])
    const test = await api.getFlagStatus({ projectKey: 'web', environmentKey: 'test', featureFlagKey: 'a' }, { as })
    expect(test).toMatchObject({ name: 'inactive', lastRequested: null })
  })
})
