import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Storage } from '../../../entries/storage.ts'
import { createEngine, type Engine } from '../../../index.ts'
import { samplesOf } from '../../../rules/lead-time/change.fixture.ts'
import { leadTimeChart, stages } from '../../../rules/lead-time/index.ts'

export const hour = 3_600_000
export const day = 24 * hour
export const now = Date.UTC(2028, 2, 3, 15, 30)
export const as = { role: 'admin' } as const
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** Makes a storage in memory whose summaries only `compact` writes, like a storage that several processes share. */
export function sharedStorage(): Storage {
  const storage = createMemoryStorage()
  return {
    ...storage,
    account(name) {
      const { immediate: _, ...account } = storage.account(name)
      return account
    },
  }
}

export async function newEngine(storage: Storage = sharedStorage()): Promise<Engine> {
  const engine = createEngine({ storage, clock: () => now })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  return engine
}

export interface Batch {
  readonly do: 'add'
  /** Number of days before now. */
  readonly ago: number
  readonly count: number
  readonly application: string
  readonly spread: number
}
export type Step = Batch | { readonly do: 'compact'; readonly limit?: number }

export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    ago: fc.integer({ min: 0, max: 9 }),
    count: fc.constantFrom(1, 3, 40, 700),
    application: fc.constantFrom('api', 'shop', 'worker'),
    spread: fc.constantFrom(1, hour, day),
  }),
  fc.record({ do: fc.constant('compact' as const) }),
  fc.record({ do: fc.constant('compact' as const), limit: fc.integer({ min: 0, max: 2 }) }),
)

let serial = 0

/** Makes samples of one day, some of them with times out of order or missing. */
function newSamples({ ago, count, application, spread }: Batch) {
  return Array.from({ length: count }, (_, i) => {
    const random = (serial = (Math.imul(serial, 1_664_525) + 1_013_904_223) >>> 0)
    const deployedAt = now - ago * day - ((random >>> 3) % spread)
    const mergedAt = deployedAt - (random % (3 * day)) + (random % 17 === 0 ? 4 * day : 0)
    return {
      externalId: `${serial}-${i}`,
      applicationKey: application,
      startedAt: mergedAt - ((random >>> 5) % (9 * day)),
      ...(random % 3 === 0 ? { openedAt: mergedAt - (random % hour) } : {}),
      mergedAt,
      deployedAt,
    }
  })
}

export type Sample = ReturnType<typeof newSamples>[number]

/** Runs a step, and adds its samples to the expected ones. */
export async function runStep(engine: Engine, expected: Sample[], stepToRun: Step): Promise<void> {
  if (stepToRun.do === 'compact') return void (await engine.compact(stepToRun))
  const samples = newSamples(stepToRun)
  await engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, { as })
  expected.push(...samples)
}

/** Returns samples as columns, which the chart functions accept. */
function columnsOf(expected: readonly Sample[]) {
  return samplesOf(
    expected.map(({ applicationKey: application, startedAt, openedAt = null, mergedAt, deployedAt }) => {
      return { application, startedAt, openedAt, mergedAt, deployStartedAt: null, deployedAt }
    }),
  )
}

export const chartQuery = fc.record({
  from: fc.integer({ min: 1, max: 10 * 24 }).map((hours) => now - hours * hour - 17),
  to: fc.constantFrom(now, now - 31 * hour, Math.floor(now / day) * day),
  bucketType: fc.constantFrom('rolling' as const, 'hour' as const, 'day' as const),
  bucketMs: fc.constantFrom(day, 7 * hour, 3 * day + 1),
  groupBy: fc.constantFrom('stage' as const, 'application' as const),
  applicationKey: fc.constantFrom(undefined, 'shop', 'api,worker', 'worker,worker'),
})

type Stats = Readonly<Record<string, number>>

/**
 * Compares charts: counts are equal, means are equal up to the order of summation, percentiles differ by at most 1
 * percent.
 */
function expectClose(actual: Stats, exact: Stats, label: string): void {
  expect(Object.keys(actual).sort(), label).toEqual(Object.keys(exact).sort())
  for (const [name, value] of Object.entries(exact)) {
    const allowed = name === 'count' ? 0 : name === 'mean' || name === 'y' ? value * 1e-12 : value * 0.01
    expect(
      Math.abs((actual[name] as number) - value),
      `${label} ${name}: ${actual[name]} for ${value}`,
    ).toBeLessThanOrEqual(allowed)
  }
}

/** Expects the chart of the engine to equal the chart that is computed from the samples. */
export async function expectSameChart(engine: Engine, expected: readonly Sample[], query: ChartQuery): Promise<void> {
  const { applicationKey, ...axis } = { bucketMs: day, groupBy: 'stage' as const, ...query }
  const applications = applicationKey && [...new Set(applicationKey.split(','))]
  const exact = leadTimeChart(columnsOf(expected), {
    ...axis,
    percentiles: true,
    ...(applications ? { applications } : {}),
  })
  const actual = await engine.api.getLeadTimeChart({ ...environmentKeys, ...query, expand: 'percentiles' }, { as })
  expect(actual.series.map(({ metadata: { name, count } }) => ({ name, count }))).toEqual(
    exact.series.map(({ name, count }) => ({ name, count })),
  )
  expect([0, 0.01]).toContain(actual.metadata.summary.percentileError)
  for (const stage of stages) expectClose(actual.metadata.summary[stage] as never, exact.summary[stage] as never, stage)
  for (const [i, { name, points }] of exact.series.entries()) {
    const data = actual.series[i]?.data ?? []
    expect(data.map(({ x }) => x)).toEqual(points.map(({ x }) => x))
    for (const [index, { y, values }] of points.entries()) {
      const actualPoint = data[index]
      if (!actualPoint) throw new Error('a point is missing')
      expectClose({ ...actualPoint.values, y: actualPoint.y } as Stats, { ...values, y } as Stats, `${name} ${index}`)
    }
  }
}

export interface ChartQuery {
  readonly from: number
  readonly to: number
  readonly bucketType: 'rolling' | 'hour' | 'day'
  readonly bucketMs?: number
  readonly groupBy?: 'stage' | 'application'
  readonly applicationKey?: string | undefined
}

export const fullRange: ChartQuery = { from: now - 12 * day, to: now + 1, bucketType: 'day' }
