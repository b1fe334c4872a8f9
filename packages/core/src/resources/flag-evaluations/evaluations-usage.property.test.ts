import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { allow, engineRequest } from '../account/test/calls.ts'
import { controlled, day, environmentKeys, hour, start } from './test/controlled-storage.ts'

const flag = { ...environmentKeys, flagKey: 'a' }

/** An evaluation that an SDK reports. */
interface ReportedEvaluation {
  /** Time of the evaluation: integer ms, UTC. */
  readonly at: number
  readonly variation: number | null
  readonly count: number
}

/** Makes a project with the flag `a`, which has two variations. */
async function reportingEngine() {
  let now = start
  const engine = createEngine({
    storage: controlled(createMemoryStorage()).storage,
    clock: () => now,
    sdk: { flushMs: 0 },
    webhooks: false,
  })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'a', name: 'a' } }, { as })
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, { as })
  return {
    api: engine.api,
    as,
    setTime: (time: number) => (now = time),
    /** Reports evaluations as an SDK does, and writes them. */
    async report({ at, variation, count }: ReportedEvaluation) {
      const counter = { version: 1, count, ...(variation === null ? {} : { variation }) }
      const event = { kind: 'summary', endDate: at, features: { a: { counters: [counter] } } }
      const response = await engine.sdk.handle(
        engineRequest('POST', '/bulk', [event], { authorization: apiKey, 'content-type': 'application/json' }),
      )
      expect(response?.status).toBe(202)
      await engine.sdk.flush()
    },
  }
}

/**
 * Offsets of time zones from UTC in hours: the offset before a change of the clocks, the time of the change, and the
 * offset after it.
 */
const offsets: Readonly<Record<string, readonly [before: number, change: number, after: number]>> = {
  UTC: [0, 0, 0],
  'Asia/Tokyo': [9, 0, 9],
  'Pacific/Kiritimati': [14, 0, 14],
  'Pacific/Pago_Pago': [-11, 0, -11],
  'Europe/Berlin': [2, Date.UTC(2026, 9, 25, 1), 1],
  'America/New_York': [-4, Date.UTC(2026, 10, 1, 6), -5],
  // The clocks change from one o'clock to midnight, so the day has two first hours.
  'America/Havana': [-4, Date.UTC(2026, 10, 1, 5), -5],
}

/** Returns the number of the day of an hour in a time zone, from the offsets above. */
function localDayNumber(at: number, timeZone: string): number {
  const [before, change, after] = offsets[timeZone] as (typeof offsets)[string]
  return Math.floor((at + (at < change ? before : after) * hour) / day)
}

const floor = (time: number) => Math.floor(time / hour) * hour

/** Returns the points that a query must have: counts by variation, from the hours of all evaluations. */
function expectedPoints(
  evaluations: readonly ReportedEvaluation[],
  { from, to, now, firstReport }: { from: number; to: number; now: number; firstReport: number },
  periodOf: (at: number) => number,
) {
  const keptFrom = Math.ceil((now - 90 * day) / hour) * hour
  const inRange = evaluations.filter(({ at }) => floor(at) >= Math.max(floor(from), keptFrom) && floor(at) < to)
  const knownFrom = Math.min(floor(firstReport), ...inRange.map(({ at }) => floor(at)))
  const points: { time: number; period: number; counts: Map<number | null, number> }[] = []
  for (let time = Math.max(floor(from), keptFrom, knownFrom); time < Math.min(to, now + 1); time += hour) {
    const period = periodOf(time)
    if (points.at(-1)?.period !== period) points.push({ time, period, counts: new Map() })
    const { counts } = points.at(-1) as (typeof points)[number]
    for (const { at, variation, count } of inRange) {
      if (floor(at) === time) counts.set(variation, (counts.get(variation) ?? 0) + count)
    }
  }
  return points.map(({ time, counts }) => [time, counts] as const)
}

type Usage = Awaited<ReturnType<Awaited<ReturnType<typeof reportingEngine>>['api']['getEvaluationsUsage']>>

/** Returns the points of a response in the form of `expectedPoints`: counts above 0, by variation. */
function pointsOf({ metadata, series }: Usage) {
  return series.map(({ time, ...counts }) => {
    expect(Object.keys(counts).sort()).toEqual(metadata.map((_, index) => String(index)).sort())
    const positive = metadata.flatMap(({ variation }, index) => {
      const count = counts[String(index)] as number
      return count > 0 ? [[variation, count] as const] : []
    })
    return [time, new Map(positive)] as const
  })
}

const evaluated = fc.record({
  /** Time from the report to the query, in ms. */
  age: fc.nat(100 * day),
  delay: fc.nat(day - 1),
  variation: fc.constantFrom(0, 0, 1, 1, 3, null),
  count: fc.integer({ min: 1, max: 50 }),
})
const age = (max: number) => fc.oneof(fc.nat(max), fc.constantFrom(0, 1, hour, day, 2 * day, 30 * day, 90 * day))

describe('getEvaluationsUsage', () => {
  it('returns the counts of an independent computation, for any evaluations, range and time zone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(evaluated, { minLength: 1, maxLength: 25 }),
        fc.array(fc.tuple(age(100 * day), age(100 * day), fc.constantFrom(...Object.keys(offsets))), {
          minLength: 1,
          maxLength: 6,
        }),
        async (inputs, queries) => {
          const { api, as, report, setTime } = await reportingEngine()
          const now = start + 4 * day
          const reports = inputs
            .map(({ age, delay, ...others }) => ({ ...others, reportedAt: now - age, at: now - age - delay }))
            .sort((a, b) => a.reportedAt - b.reportedAt)
          for (const { reportedAt, ...evaluation } of reports) {
            setTime(reportedAt)
            await report(evaluation)
          }
          setTime(now)
          const firstReport = reports[0]?.reportedAt as number
          for (const [fromAge, toAge, tz] of queries) {
            if (fromAge === toAge) continue
            const range = { from: now - Math.max(fromAge, toAge), to: now - Math.min(fromAge, toAge) }
            const isHourly = range.from >= now - 2 * day
            const expected = expectedPoints(reports, { ...range, now, firstReport }, (at) =>
              isHourly ? at : localDayNumber(at, tz),
            )
            expect(pointsOf(await api.getEvaluationsUsage({ ...flag, ...range, tz }, { as }))).toEqual(expected)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('returns the UTC days of the last 30 days by default', async () => {
    const { api, as, report, setTime } = await reportingEngine()
    for (const days of [40, 30, 1, 0]) {
      setTime(start - days * day)
      await report({ at: start - days * day, variation: 1, count: 1 + days })
    }
    const { metadata, series, _links } = await api.getEvaluationsUsage(flag, { as })
    expect(metadata).toEqual([{ variation: 0 }, { variation: 1 }])
    expect(series).toHaveLength(31)
    // The clock shows 9:30, and the first point is the hour that contains the time 30 days ago.
    expect(series[0]).toEqual({ time: start - 30 * day - hour / 2, 0: 0, 1: 31 })
    expect(series[1]).toEqual({ time: Date.UTC(2026, 9, 4), 0: 0, 1: 0 })
    expect(series.slice(-2)).toEqual([
      { time: Date.UTC(2026, 10, 1), 0: 0, 1: 2 },
      { time: Date.UTC(2026, 10, 2), 0: 0, 1: 1 },
    ])
    expect(_links.self?.href).toBe('/api/v2/usage/evaluations/web/production/a')
  })

  it('returns no points before anything is counted in the environment', async () => {
    const { api, as } = await reportingEngine()
    expect(await api.getEvaluationsUsage(flag, { as })).toMatchObject({
      metadata: [{ variation: 0 }, { variation: 1 }],
      series: [],
    })
  })

  it('refuses days of a time zone whose offset is not a whole number of hours, and returns hours of such a time zone', async () => {
    const { api, as, report, setTime } = await reportingEngine()
    setTime(start - 5 * day)
    await report({ at: start - 5 * day, variation: 0, count: 1 })
    setTime(start)
    for (const tz of ['Asia/Kolkata', 'Asia/Kathmandu']) {
      await expect(api.getEvaluationsUsage({ ...flag, tz }, { as })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ attribute: 'tz' }],
      })
      const { series } = await api.getEvaluationsUsage({ ...flag, tz, from: start - 3 * hour }, { as })
      expect(series.map(({ time }) => time)).toEqual([3, 2, 1, 0].map((hours) => floor(start) - hours * hour))
    }
  })

  it.each([
    ['tz', { tz: 'Europe/Nowhere' }],
    ['from', { from: 'yesterday' }],
    ['from', { from: start, to: start }],
    ['from', { from: start + 1 }],
  ])('names an invalid `%s`: %j', async (attribute, query) => {
    const { api, as } = await reportingEngine()
    await expect(api.getEvaluationsUsage({ ...flag, ...query }, { as })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute }],
    })
  })

  it('responds with 404 for an unknown flag or environment', async () => {
    const { api, as } = await reportingEngine()
    for (const keys of [{ flagKey: 'none' }, { environmentKey: 'none' }, { projectKey: 'none' }]) {
      await expect(api.getEvaluationsUsage({ ...flag, ...keys }, { as })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('requires viewFlagStatus on the flag in the environment', async () => {
    const { api } = await reportingEngine()
    const viewer = (environmentKey: string) => ({
      policy: [allow(['viewFlagStatus'], [`proj/web:env/${environmentKey}:flag/a`])],
    })
    await expect(api.getEvaluationsUsage(flag, { as: viewer('production') })).resolves.toMatchObject({ series: [] })
    await expect(api.getEvaluationsUsage(flag, { as: viewer('test') })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
