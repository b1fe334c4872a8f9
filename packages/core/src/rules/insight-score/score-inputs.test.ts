import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FlagHistory, staleFlagsChart } from '../insight-charts/index.ts'
import { creationRatioInput, deploymentInputs, flagHealthInput, leadTimeInput, scorePeriods } from './index.ts'

const day = 86_400_000
const hour = 3_600_000
const now = Date.UTC(2028, 2, 1)
const { period, lastPeriod } = scorePeriods(now)

/** Returns samples as columns, in order of time; `values` of each sample is one row. */
function columns(rows: readonly { at: number; label?: string; values: readonly number[] }[]) {
  const labels = [...new Set(rows.map(({ label = 'shop' }) => label))]
  return {
    at: Float64Array.from(rows, ({ at }) => at),
    labels,
    label: Uint32Array.from(rows, ({ label = 'shop' }) => labels.indexOf(label)),
    values: [0, 1, 2, 3].map((c) => Float64Array.from(rows, ({ values }) => values[c] ?? Number.NaN)),
  }
}

describe('deployments', () => {
  const outcomes = columns([
    { at: now - 30 * day, values: [1] },
    { at: now - 30 * day + 1, values: [1] },
    { at: now - day, values: [0], label: 'blog' },
    { at: now - day, values: [Number.NaN] },
    { at: now, values: [1] },
    { at: now, values: [1], label: 'blog' },
    { at: now + 1, values: [1] },
  ])

  it('count in the period in which they ended; a period excludes its start and includes its end', () => {
    expect(deploymentInputs(outcomes, period, undefined)).toEqual({
      deploymentFrequency: 3 / 30,
      deploymentFailureRate: 1 / 4,
    })
    expect(deploymentInputs(outcomes, lastPeriod, undefined)).toEqual({
      deploymentFrequency: 1 / 30,
      deploymentFailureRate: 0,
    })
  })

  it('of other applications do not count', () => {
    expect(deploymentInputs(outcomes, period, ['blog'])).toEqual({
      deploymentFrequency: 1 / 30,
      deploymentFailureRate: 1 / 2,
    })
    expect(deploymentInputs(outcomes, period, ['other'])).toEqual({
      deploymentFrequency: 0,
      deploymentFailureRate: 'notCalculated',
    })
  })
})

describe('leadTimeInput', () => {
  const sample = (at: number, hours: number, label = 'shop') => ({ at, label, values: [at - hours * hour] })

  it('returns the median of the deployments in the period', () => {
    const samples = columns([
      sample(now - 30 * day, 500),
      sample(now - 20 * day, 10),
      sample(now - 10 * day, 40, 'blog'),
      sample(now, 20),
    ])
    expect(leadTimeInput(samples, period, undefined)).toBe(20 * hour)
    expect(leadTimeInput(samples, period, ['shop'])).toBe(15 * hour)
    expect(leadTimeInput(samples, lastPeriod, undefined)).toBe(500 * hour)
  })

  it('returns notCalculated without deployments, and if all of them ended before they started', () => {
    expect(leadTimeInput(columns([]), period, undefined)).toBe('notCalculated')
    expect(leadTimeInput(columns([sample(now, -1)]), period, undefined)).toBe('notCalculated')
  })
})

describe('flag health', () => {
  const longAgo = now - 90 * day
  /**
   * Returns a temporary flag that has served two variations since its creation: so it is neither inactive nor launched.
   */
  const flag = (overrides: Partial<FlagHistory> = {}): FlagHistory => {
    const createdAt = overrides.createdAt ?? longAgo
    const states = [{ since: createdAt, on: true, servesOne: false }]
    const rest = { lastRequested: undefined, temporary: true, maintainer: 'none' }
    return { from: createdAt, to: Infinity, states, ...rest, ...overrides, createdAt }
  }
  const off = (since: number): Partial<FlagHistory> => ({ states: [{ since, on: false, servesOne: true }] })
  const launched = (since: number): Partial<FlagHistory> => ({ states: [{ since, on: true, servesOne: true }] })

  it.each<[string, FlagHistory, number]>([
    ['in use', flag(), 0],
    ['launched for a week', flag(launched(now - 7 * day)), 1],
    ['launched a millisecond later', flag(launched(now - 7 * day + 1)), 0],
    ['turned off a week ago', flag(off(now - 7 * day)), 1],
    ['turned off a millisecond later', flag(off(now - 7 * day + 1)), 0],
    ['never turned on', flag(off(longAgo)), 1],
    ['not evaluated for a week', flag({ lastRequested: now - 7 * day }), 1],
    ['evaluated a millisecond later', flag({ lastRequested: now - 7 * day + 1 }), 0],
    ['of unknown configuration', flag({ states: [] }), 0],
    ['thirty days old', flag({ ...launched(now - 20 * day), createdAt: now - 30 * day }), 0],
    ['a millisecond older than thirty days', flag({ ...launched(now - 20 * day), createdAt: now - 30 * day - 1 }), 1],
  ])('decides if a flag is stale that is %s', (_, flag, expected) => {
    expect(flagHealthInput([flag], period)).toBe(expected)
  })

  it('returns the share of stale flags among the temporary flags that exist', () => {
    const flags = [
      flag(launched(longAgo)),
      flag(),
      flag({ createdAt: now }),
      flag({ ...launched(longAgo), temporary: false }),
      flag({ ...launched(longAgo), to: now }),
      flag({ createdAt: now + 1 }),
      flag({ ...launched(longAgo), from: now + 1 }),
    ]
    expect(flagHealthInput(flags, period)).toBe(1 / 3)
  })

  it('returns the share at the end of the period, before later archiving and changes', () => {
    const states = [
      { since: longAgo, on: true, servesOne: true },
      { since: now - 29 * day, on: true, servesOne: false },
    ]
    const flags = [flag({ ...launched(longAgo), to: now - 29 * day }), flag({ states }), flag(), flag()]
    expect(flagHealthInput(flags, lastPeriod)).toBe(2 / 4)
    expect(flagHealthInput(flags, period)).toBe(0)
  })

  it('returns notCalculated without temporary flags', () => {
    expect(flagHealthInput([flag({ temporary: false })], period)).toBe('notCalculated')
  })

  it('returns the share that the chart of stale flags shows for the same time', () => {
    const time = fc.integer({ min: 0, max: 100 * day }).map((ms) => now - ms)
    const state = fc.record({ since: time, on: fc.boolean(), servesOne: fc.boolean() })
    const flags = fc.array(
      fc
        .record({
          createdAt: time,
          to: fc.option(time, { nil: Infinity }),
          states: fc.array(state, { maxLength: 4 }).map((all) => all.sort((a, b) => a.since - b.since)),
          lastRequested: fc.option(fc.option(time, { nil: null }), { nil: undefined }),
          temporary: fc.boolean(),
        })
        .map((properties) => flag({ ...properties, from: properties.createdAt })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(flags, fc.constantFrom(period, lastPeriod), (all, { endTime }) => {
        const query = { from: endTime - day, to: endTime, bucketType: 'rolling', bucketMs: day } as const
        const { share, temporary } = staleFlagsChart(all, query, now).summary
        expect(flagHealthInput(all, { startTime: endTime - day, endTime })).toBe(temporary ? share : 'notCalculated')
      }),
      { numRuns: 200 },
    )
  })
})

describe('creationRatioInput', () => {
  const flag = (createdAt: number, archivedAt?: number) => ({
    createdAt,
    ...(archivedAt === undefined ? {} : { archivedAt }),
  })

  it('returns the number of archived flags per created flag', () => {
    const flags = [flag(now), flag(now - day), flag(now - 40 * day, now), flag(now - 40 * day)]
    expect(creationRatioInput(flags, period)).toBe(1 / 2)
    expect(creationRatioInput(flags, lastPeriod)).toBe(0)
  })

  it('returns notCalculated if no flag was created', () => {
    expect(creationRatioInput([flag(now - 90 * day, now)], period)).toBe('notCalculated')
  })
})
