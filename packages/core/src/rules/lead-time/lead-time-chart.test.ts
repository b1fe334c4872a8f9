import { describe, expect, it } from 'vitest'
import { type Change, samplesOf } from './change.fixture.ts'
import { bucketCount, type LeadTimeQuery, leadTimeChart, stages } from './index.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const change = (deployedAt: number, total: number, application = 'web'): Change => ({
  application,
  startedAt: deployedAt - total,
  openedAt: null,
  mergedAt: null,
  deployStartedAt: null,
  deployedAt,
})

const queryOf = (query: Partial<LeadTimeQuery>): LeadTimeQuery => ({
  from: 0,
  to: 0,
  bucketType: 'rolling',
  bucketMs: day,
  groupBy: 'stage',
  percentiles: false,
  ...query,
})

const seriesOf = (changes: readonly Change[], query: Partial<LeadTimeQuery>, name = 'total') =>
  leadTimeChart(samplesOf(changes), queryOf(query)).series.find((series) => series.name === name)!

const startsOf = (query: Partial<LeadTimeQuery>) =>
  seriesOf([], query).points.map(({ x }) => new Date(x).toISOString().replace(':00.000Z', ''))

describe('buckets', () => {
  it('of type day begin at midnight UTC and cover the range, over a month end and a leap day', () => {
    const range = { from: Date.UTC(2024, 1, 27, 13), to: Date.UTC(2024, 2, 2, 0, 0, 0, 1) }
    expect(startsOf({ ...range, bucketType: 'day' })).toEqual([
      '2024-02-27T00:00',
      '2024-02-28T00:00',
      '2024-02-29T00:00',
      '2024-03-01T00:00',
      '2024-03-02T00:00',
    ])
    expect(startsOf({ from: Date.UTC(2023, 11, 31), to: Date.UTC(2024, 0, 2), bucketType: 'day' })).toEqual([
      '2023-12-31T00:00',
      '2024-01-01T00:00',
    ])
  })

  it('of type hour are 24 on each day, also when daylight saving time begins or ends', () => {
    for (const date of [Date.UTC(2024, 2, 31), Date.UTC(2024, 9, 27), Date.UTC(2024, 2, 10)]) {
      expect(bucketCount(queryOf({ from: date, to: date + day, bucketType: 'hour' }))).toBe(24)
    }
    expect(startsOf({ from: Date.UTC(2024, 2, 31, 0, 59), to: Date.UTC(2024, 2, 31, 3), bucketType: 'hour' })).toEqual([
      '2024-03-31T00:00',
      '2024-03-31T01:00',
      '2024-03-31T02:00',
    ])
  })

  it('of type rolling are counted back from the end, and the first keeps its full width', () => {
    const range = { from: Date.UTC(2024, 0, 1, 0, 30), to: Date.UTC(2024, 0, 1, 3, 15), bucketMs: hour }
    expect(startsOf(range)).toEqual(['2024-01-01T00:15', '2024-01-01T01:15', '2024-01-01T02:15'])
    const changes = [change(range.from - 1, minute), change(range.from, 2 * minute), change(range.to - 1, 4 * minute)]
    expect(seriesOf(changes, range).points.map(({ y }) => y)).toEqual([2 * minute, 0, 4 * minute])
  })

  it.each([
    [{ from: 0, to: 7 * day, bucketMs: day }, 7],
    [{ from: 0, to: 7 * day + 1, bucketMs: day }, 8],
    [{ from: 0, to: 1, bucketMs: day }, 1],
    [{ from: 5, to: 5, bucketMs: day }, 0],
    [{ from: 6, to: 5, bucketMs: day }, 0],
    [{ from: 0, to: 2_001, bucketMs: 1 }, 2_001],
    [{ from: day - 1, to: day + 1, bucketType: 'day' as const, bucketMs: 1 }, 2],
    [{ from: -1, to: 1, bucketType: 'hour' as const }, 2],
  ])('of the query %j are %d', (query, count) => {
    expect(bucketCount(queryOf(query))).toBe(count)
    expect(seriesOf([], query).points).toHaveLength(count)
  })

  it('include a deployment at their start and exclude one at their end', () => {
    const from = Date.UTC(2024, 1, 29)
    const changes = [from - 1, from, from + day - 1, from + day, from + 2 * day].map((at) => change(at, minute))
    const { points, count } = seriesOf(changes, { from, to: from + 2 * day, bucketType: 'day' })
    expect(points.map(({ values }) => values.count)).toEqual([2, 1])
    expect(count).toBe(3)
  })
})

describe('stages', () => {
  const at = Date.UTC(2024, 0, 10)
  const completeChange = {
    application: 'web',
    startedAt: at - 15 * hour,
    openedAt: at - 14 * hour,
    mergedAt: at - 12 * hour,
    deployStartedAt: at - 8 * hour,
    deployedAt: at,
  }

  it.each([
    ['all times', {}, { coding: 1, review: 2, wait: 4, deploy: 8, total: 15 }],
    ['no pull request', { openedAt: null }, { coding: 3, wait: 4, deploy: 8, total: 15 }],
    ['no deployment start', { deployStartedAt: null }, { coding: 1, review: 2, wait: 12, total: 15 }],
    [
      'neither a pull request nor a deployment start',
      { openedAt: null, deployStartedAt: null },
      { coding: 3, wait: 12, total: 15 },
    ],
    ['no merge', { mergedAt: null }, { coding: 1, deploy: 8, total: 15 }],
    ['no first commit', { startedAt: null }, { review: 2, wait: 4, deploy: 8 }],
    [
      'a pull request before the first commit',
      { openedAt: at - 16 * hour },
      { review: 4, wait: 4, deploy: 8, total: 15 },
    ],
    ['a merge after the deployment', { mergedAt: at + hour }, { coding: 1, review: 15, deploy: 8, total: 15 }],
    ['a first commit after everything else', { startedAt: at + 1 }, { review: 2, wait: 4, deploy: 8 }],
    [
      'all times equal',
      { startedAt: at, openedAt: at, mergedAt: at, deployStartedAt: at },
      { coding: 0, review: 0, wait: 0, deploy: 0, total: 0 },
    ],
  ])('have the expected durations for a change with %s', (_, overrides, expected) => {
    const { series, summary } = leadTimeChart(
      samplesOf([{ ...completeChange, ...overrides }]),
      queryOf({ from: at, to: at + day, percentiles: true }),
    )
    expect(series.map(({ name }) => name)).toEqual(['coding', 'review', 'wait', 'deploy', 'total'])
    for (const { name, count, points } of series) {
      const hours = (expected as Record<string, number>)[name]
      const value = hours === undefined ? 0 : hours * hour
      const percentiles = { p50: value, p75: value, p90: value, p95: value, p99: value }
      const values = { count: hours === undefined ? 0 : 1, ...percentiles }
      expect(points).toEqual([{ x: at, y: value, values }])
      expect(count).toBe(values.count)
      expect(summary[name as 'total']).toEqual({ mean: value, ...values })
    }
  })
})

describe('statistics', () => {
  const to = Date.UTC(2024, 5, 1)
  const query = { from: to - day, to }

  it('interpolate percentiles between closest ranks', () => {
    const changes = [10, 20, 30, 40].map((total) => change(to - 1, total))
    const [point] = seriesOf(changes, { ...query, percentiles: true }).points
    // (n - 1) p is 1.5, 2.25, 2.7, 2.85 and 2.97.
    expect(point!.y).toBe(25)
    const { count, p50, p75, p90, p95, p99 } = point!.values
    expect([count, p50, p75]).toEqual([4, 25, 32.5])
    for (const [actual, expected] of [
      [p90, 37],
      [p95, 38.5],
      [p99, 39.7],
    ])
      expect(actual).toBeCloseTo(expected!, 9)
  })

  it('have no percentiles unless the query requests them', () => {
    expect(seriesOf([change(to - 1, 5)], query).points[0]!.values).toEqual({ count: 1 })
  })

  it('sum a million long lead times exactly', () => {
    const size = 1_000_000
    const totals = Float64Array.from({ length: size }, (_, i) => 8_000_000_000 + i)
    const at = new Float64Array(size).fill(to - 1)
    const missing = new Float64Array(size).fill(NaN)
    const started = totals.map((total, i) => at[i]! - total)
    const samples = { at, labels: ['web'], label: new Uint32Array(size), values: [started, missing, missing, missing] }
    const { summary } = leadTimeChart(samples, queryOf({ ...query, percentiles: true }))
    // The totals are an arithmetic sequence, so mean, median and 99th percentile are known.
    expect(summary.total).toMatchObject({ count: size, mean: 8_000_499_999.5, p50: 8_000_499_999.5 })
    expect(summary.total.p99).toBeCloseTo(8_000_000_000 + 0.99 * (size - 1), 3)
  })

  it('are all 0 without samples', () => {
    const { series, summary, tier } = leadTimeChart(samplesOf([]), queryOf({ ...query, percentiles: true }))
    const emptyStats = { count: 0, p50: 0, p75: 0, p90: 0, p95: 0, p99: 0 }
    expect(series.map(({ count, points }) => [count, points])).toEqual(
      stages.map(() => [0, [{ x: query.from, y: 0, values: emptyStats }]]),
    )
    expect(summary.total).toEqual({ mean: 0, ...emptyStats })
    expect(tier).toBe('notCalculated')
  })

  it('determine the tier by the mean, not by the median', () => {
    const changes = [hour, hour, 10 * day].map((total) => change(to - 1, total))
    expect(leadTimeChart(samplesOf(changes), queryOf(query)).tier).toBe('good')
  })
})

describe('applications', () => {
  const to = Date.UTC(2024, 5, 1)
  const query = { from: to - day, to, groupBy: 'application' as const }
  const changes = [
    change(to - 3, 10, 'web'),
    change(to - 2, 20, 'Android'),
    change(to - 1, 40, 'web'),
    change(to - 1, 80, 'api-2'),
    change(to - 2 * day, 160, 'old'),
    { ...change(to - 1, 0, 'broken'), startedAt: null },
  ]
  const chart = (applications?: string[]) => leadTimeChart(samplesOf(changes), queryOf({ ...query, applications }))
  const summaryOfSeries = ({ series }: ReturnType<typeof chart>) =>
    series.map(({ name, count, points }) => [name, count, points[0]!.y])

  it('have one series each, in the order of their keys', () => {
    expect(summaryOfSeries(chart())).toEqual([
      ['Android', 1, 20],
      ['api-2', 1, 80],
      ['broken', 0, 0],
      ['web', 2, 25],
    ])
    expect(chart().summary.total).toEqual({ count: 4, mean: 37.5 })
  })

  it('of the query have one series each, even without samples, and other applications do not count', () => {
    const filtered = chart(['web', 'nothing', 'Android', 'web'])
    expect(summaryOfSeries(filtered)).toEqual([
      ['Android', 1, 20],
      ['nothing', 0, 0],
      ['web', 2, 25],
    ])
    expect(filtered.summary.total).toEqual({ count: 3, mean: 70 / 3 })
  })

  it('that the query names are the only ones whose samples count for the stages', () => {
    const { series } = leadTimeChart(samplesOf(changes), queryOf({ ...query, groupBy: 'stage', applications: ['web'] }))
    expect(series.at(-1)).toMatchObject({ name: 'total', count: 2, points: [{ y: 25 }] })
  })
})
