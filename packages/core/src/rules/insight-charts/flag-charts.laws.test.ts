import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FlagStatus, flagStatus, flagStatuses } from '../flag-status/flag-status.ts'
import { type FlagHistory, flagStatusChart, staleFlagsChart } from './index.ts'

const day = 86_400_000
const now = Date.UTC(2028, 2, 3, 15, 30)

const ago = (days: number) => fc.integer({ min: 0, max: days * day }).map((ms) => now - ms)

const history: fc.Arbitrary<FlagHistory> = fc
  .record({
    createdAt: ago(500),
    environmentAfter: fc.integer({ min: -30 * day, max: 30 * day }),
    archivedAfter: fc.option(fc.integer({ min: 0, max: 400 * day }), { nil: Number.POSITIVE_INFINITY }),
    states: fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 60 * day }), on: fc.boolean(), servesOne: fc.boolean() }),
      { maxLength: 6 },
    ),
    requested: fc.option(fc.option(ago(60), { nil: null }), { nil: undefined }),
    temporary: fc.boolean(),
    maintainer: fc.constantFrom('member/ada', 'team/growth', 'none'),
  })
  .map(({ createdAt, environmentAfter, archivedAfter, states, requested, ...rest }) => ({
    ...rest,
    createdAt,
    from: Math.max(createdAt, createdAt + environmentAfter),
    to: createdAt + archivedAfter,
    states: states
      .map(({ after, ...state }) => ({ since: createdAt + after, ...state }))
      .sort((a, b) => a.since - b.since),
    lastRequested: requested,
  }))

const axis = {
  from: ago(40),
  length: fc.integer({ min: 1, max: 30 * day }),
  bucketType: fc.constantFrom('rolling', 'day'),
  bucketMs: fc.integer({ min: day / 4, max: 9 * day }),
}

/** Returns the status of one flag at one time: undefined if the flag does not exist then. */
function statusOf(flag: FlagHistory, time: number): FlagStatus | 'unknown' | undefined {
  if (time < flag.from || time >= flag.to) return undefined
  const state = flag.states.findLast(({ since }) => since <= time)
  if (!state) return 'unknown'
  const { lastRequested } = flag
  const lastKnownRequest = typeof lastRequested === 'number' && lastRequested > time ? undefined : lastRequested
  return flagStatus(
    { ...state, createdAt: flag.createdAt, changedAt: state.since, lastRequested: lastKnownRequest },
    time,
  )
}

/** Returns the time at which a bucket is counted; undefined if the bucket has not begun. */
function timeOf(x: number, next: number | undefined, from: number, to: number): number | undefined {
  return Math.max(x, from) < now ? Math.min(next ?? to, to, now) : undefined
}

interface Point {
  readonly x: number
  readonly values: Readonly<Record<string, number>>
}

const pointsWithTime = (points: readonly Point[], { from, to }: { from: number; to: number }) =>
  points.map(({ x, values }, i) => ({ moment: timeOf(x, points[i + 1]?.x, from, to), x, values }))

describe('flags', () => {
  it('are counted by status as a direct computation counts them', () => {
    fc.assert(
      fc.property(fc.array(history, { maxLength: 12 }), fc.record(axis), (flags, { length, ...options }) => {
        const query = { ...options, to: options.from + length }
        const { series, summary } = flagStatusChart(flags, query, now)
        expect(series.map(({ name }) => name)).toEqual(flagStatuses)
        for (const { name, points } of series) {
          for (const { moment: time, values } of pointsWithTime(points, query)) {
            const statuses = time === undefined ? [] : flags.map((flag) => statusOf(flag, time))
            const count = statuses.filter((status) => status === name).length
            expect(values).toEqual({ count, unknown: statuses.filter((status) => status === 'unknown').length })
          }
        }
        const last = Math.min(query.to, now)
        if (query.from >= now) return
        for (const name of [...flagStatuses, 'unknown'] as const) {
          expect(summary[name]).toBe(flags.filter((flag) => statusOf(flag, last) === name).length)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('are counted as stale as a direct computation counts them', () => {
    const isStale = (flag: FlagHistory, time: number) =>
      flag.temporary &&
      flag.createdAt < time - 30 * day &&
      ['inactive', 'launched'].includes(statusOf(flag, time) ?? '')
    const ageOf = ({ createdAt }: FlagHistory, time: number) => {
      const age = (time - createdAt) / day
      if (age < 90) return 'upTo90Days'
      if (age < 180) return 'upTo180Days'
      return age < 365 ? 'upTo365Days' : 'over365Days'
    }
    const queries = fc.record({ ...axis, groupBy: fc.constantFrom('maintainer', 'age', undefined) })
    fc.assert(
      fc.property(fc.array(history, { maxLength: 12 }), queries, (flags, { length, ...options }) => {
        const query = { ...options, to: options.from + length }
        const { series, summary } = staleFlagsChart(flags, query, now)
        const isIn = (flag: FlagHistory, name: string, time: number) => {
          if (query.groupBy === 'maintainer') return flag.maintainer === name
          return query.groupBy === 'age' ? ageOf(flag, time) === name : name === 'stale'
        }
        const totals = { stale: 0, temporary: 0 }
        for (const { name, points } of series) {
          for (const { moment: time, values } of pointsWithTime(points, query)) {
            const flagsOfSeries = time === undefined ? [] : flags.filter((flag) => isIn(flag, name, time))
            const existing = flagsOfSeries.filter(
              (flag) => flag.temporary && statusOf(flag, time as number) !== undefined,
            )
            const stale = flagsOfSeries.filter((flag) => isStale(flag, time as number)).length
            expect(values).toEqual({
              count: stale,
              temporary: existing.length,
              unknown: existing.filter((flag) => statusOf(flag, time as number) === 'unknown').length,
            })
          }
          totals.stale += points.reduce((sum, { y }) => sum + y, 0)
        }
        const expected = pointsWithTime(series[0]?.points ?? [], query).flatMap(({ moment: time }) =>
          time === undefined ? [] : flags.filter((flag) => isStale(flag, time)),
        )
        expect(totals.stale).toBe(expected.length)
        expect(summary.share).toBe(summary.temporary ? (summary.stale as number) / summary.temporary : 0)
      }),
      { numRuns: 300 },
    )
  })
})
