import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../index.ts'
import {
  admin,
  day,
  durations,
  engineWithProjects,
  environmentKeys,
  history,
  hour,
  mean,
  now,
  quantile,
  send,
} from './test/simple-lead-times.ts'

const week = 7 * day

describe('the lead-time chart', () => {
  const samples = history(3000, 42)
  let engine: Engine

  beforeAll(async () => {
    engine = await engineWithProjects()
    for (let i = 0; i < samples.length; i += 700) {
      // The batches overlap, like those of an interrupted importer.
      const batch = samples.slice(Math.max(0, i - 50), i + 700)
      await engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples: batch } }, { as: admin })
    }
  })

  const chartOf = (query: object = {}) => engine.api.getLeadTimeChart({ ...environmentKeys, ...query }, { as: admin })

  it('shows the stages of the last 7 rolling days by default', async () => {
    const chart = await chartOf()
    expect(chart.metadata).toMatchObject({ name: 'leadTime', xAxis: 'timestamp', yAxis: 'duration', metrics: {} })
    expect(chart.series.map((item) => item.metadata.name)).toEqual(['coding', 'review', 'wait', 'deploy', 'total'])
    const starts = [7, 6, 5, 4, 3, 2, 1].map((days) => now - days * day)
    for (const { metadata, data } of chart.series) {
      expect(data.map((point) => point.x)).toEqual(starts)
      for (const { x, y, values } of data) {
        const inside = samples.filter((item) => item.deployedAt >= x && item.deployedAt < x + day)
        const expected = durations(inside, metadata.name)
        expect(values).toEqual({ count: expected.length })
        expect(y).toBeCloseTo(mean(expected), 3)
      }
      expect(metadata.count).toBe(data.reduce((sum, point) => sum + point.values.count, 0))
    }
  })

  type Chart = Awaited<ReturnType<typeof chartOf>>
  type Axis = { from: number; to: number; bucketType: 'rolling' | 'hour' | 'day'; bucketMs: number }

  /**
   * Expects that buckets are adjacent and cover the range from `from` to `to`, with days and hours aligned to UTC.
   * Returns the width of a bucket.
   */
  function expectAxis(starts: readonly number[], { from, to, bucketType, bucketMs }: Axis): number {
    const width = { rolling: bucketMs, hour, day }[bucketType]
    const [first = Number.NaN] = starts
    expect(starts).toEqual(starts.map((_, i) => first + i * width))
    expect(first).toBeLessThanOrEqual(from)
    expect(first + width).toBeGreaterThan(from)
    const end = first + starts.length * width
    if (bucketType === 'rolling') expect(end).toBe(to)
    else {
      expect(first % width).toBe(0)
      expect(end).toBeGreaterThanOrEqual(to)
      expect(end - width).toBeLessThan(to)
    }
    return width
  }

  function expectPoint(
    point: Chart['series'][number]['data'][number],
    expected: readonly number[],
    percentiles: boolean,
  ) {
    const { p50, p75, p90, p95, p99, ...counts } = point.values
    expect(counts).toEqual({ count: expected.length })
    expect(Math.abs(point.y - mean(expected))).toBeLessThan(0.001)
    const shares = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }
    for (const [name, value] of Object.entries({ p50, p75, p90, p95, p99 })) {
      if (!percentiles) expect(value).toBeUndefined()
      else expect(Math.abs((value as number) - quantile(expected, shares[name as 'p50']))).toBeLessThan(0.001)
    }
  }

  const anyRange = fc
    .tuple(fc.integer({ min: 0, max: 16 * day }), fc.integer({ min: 1, max: 8 * day }))
    .map(([start, length]) => ({ from: now - 14 * day + start, to: now - 14 * day + start + length }))

  const anyAxis = fc
    .tuple(
      anyRange,
      fc.record({
        bucketType: fc.constantFrom('rolling' as const, 'hour' as const, 'day' as const),
        bucketMs: fc.integer({ min: hour, max: 3 * day }),
      }),
    )
    .map(([range, buckets]): Axis => ({ ...range, ...buckets }))

  it('equals a simple computation by stage, for any range, buckets and applications', async () => {
    const applications = fc.subarray(['api', 'shop', 'worker', 'none'])
    await fc.assert(
      fc.asyncProperty(anyAxis, applications, fc.boolean(), async (axis, applicationKey, percentiles) => {
        const expand = percentiles ? ['percentiles' as const] : []
        const chart = await chartOf({ ...axis, applicationKey, expand })
        const expected = samples
          .filter((item) => item.deployedAt >= axis.from && item.deployedAt < axis.to)
          .filter((item) => applicationKey.length === 0 || applicationKey.includes(item.applicationKey))
        for (const { metadata, data } of chart.series) {
          const width = expectAxis(
            data.map((point) => point.x),
            axis,
          )
          for (const point of data) {
            const inside = expected.filter((item) => item.deployedAt >= point.x && item.deployedAt < point.x + width)
            expectPoint(point, durations(inside, metadata.name), percentiles)
          }
          const all = durations(expected, metadata.name)
          expect(metadata.count).toBe(all.length)
          const summary = chart.metadata.summary[metadata.name as 'total']
          expect(summary.count).toBe(all.length)
          expect(Math.abs(summary.mean - mean(all))).toBeLessThan(0.001)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('equals a simple computation by application', async () => {
    await fc.assert(
      fc.asyncProperty(anyAxis, async (axis) => {
        const chart = await chartOf({ ...axis, groupBy: 'application' })
        const expected = samples.filter((item) => item.deployedAt >= axis.from && item.deployedAt < axis.to)
        const applicationKeys = [...new Set(expected.map((item) => item.applicationKey))].sort()
        expect(chart.series.map((item) => item.metadata.name)).toEqual(applicationKeys)
        for (const { metadata, data } of chart.series) {
          const width = expectAxis(
            data.map((point) => point.x),
            axis,
          )
          const samplesOfApplication = expected.filter((item) => item.applicationKey === metadata.name)
          for (const point of data) {
            const inside = samplesOfApplication.filter(
              (item) => item.deployedAt >= point.x && item.deployedAt < point.x + width,
            )
            expectPoint(point, durations(inside, 'total'), false)
          }
          expect(metadata.count).toBe(durations(samplesOfApplication, 'total').length)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('has the bounds of each series, without its empty buckets', async () => {
    const chart = await chartOf({ from: now - 13 * day, to: now, bucketType: 'hour' })
    for (const { metadata, data } of chart.series) {
      const means = data.filter((point) => point.values.count > 0).map((point) => point.y)
      expect(means.length).toBeLessThan(data.length)
      const [lowest, highest] = [Math.min(...means), Math.max(...means)]
      expect(metadata.bounds).toEqual([
        { name: 'min', value: lowest },
        { name: 'max', value: highest },
      ])
    }
    const empty = await chartOf({ from: 0, to: day })
    expect(empty.series.map((item) => item.metadata.bounds)).toEqual([[], [], [], [], []])
    expect(empty.series[0]?.data).toEqual([{ x: 0, y: 0, values: { count: 0 } }])
  })

  it('has separate buckets for the leap day and the next day', async () => {
    const from = Date.UTC(2028, 1, 28)
    const chart = await chartOf({ from, to: Date.UTC(2028, 2, 2), bucketType: 'day' })
    const total = chart.series.find((item) => item.metadata.name === 'total')
    expect(total?.data.map((point) => new Date(point.x).toISOString())).toEqual([
      '2028-02-28T00:00:00.000Z',
      '2028-02-29T00:00:00.000Z',
      '2028-03-01T00:00:00.000Z',
    ])
    for (const { x, values } of total?.data ?? []) {
      const date = new Date(x).toISOString().slice(0, 10)
      const samplesOfDate = samples.filter((item) => new Date(item.deployedAt).toISOString().startsWith(date))
      expect(values.count).toBe(durations(samplesOfDate, 'total').length)
      expect(values.count).toBeGreaterThan(0)
    }
  })

  it('includes `from` and excludes `to`', async () => {
    const newEngine = await engineWithProjects()
    const rangeStart = Date.UTC(2028, 1, 29, 12)
    const edge = (externalId: string, deployedAt: number) => ({
      externalId,
      applicationKey: 'api',
      startedAt: rangeStart - hour,
      mergedAt: rangeStart - hour,
      deployedAt,
    })
    const body = {
      ...environmentKeys,
      samples: [
        edge('before', rangeStart - 1),
        edge('from', rangeStart),
        edge('last', rangeStart + day - 1),
        edge('to', rangeStart + day),
      ],
    }
    await newEngine.api.createLeadTimeSamples({ body }, { as: admin })
    const chart = await newEngine.api.getLeadTimeChart(
      { ...environmentKeys, from: rangeStart, to: rangeStart + day },
      { as: admin },
    )
    expect(chart.metadata.summary.total).toEqual({ count: 2, mean: hour + (day - 1) / 2 })
  })

  it('rates the mean total lead time with expand=metrics', async () => {
    const metrics = async (days: number) => {
      const newEngine = await engineWithProjects()
      const deployedAt = now - 1
      const sample = {
        externalId: 'a',
        applicationKey: 'api',
        startedAt: deployedAt - days * day,
        mergedAt: deployedAt,
        deployedAt,
      }
      await newEngine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples: [sample] } }, { as: admin })
      return (await newEngine.api.getLeadTimeChart({ ...environmentKeys, expand: ['metrics'] }, { as: admin })).metadata
        .metrics.leadTime
    }
    expect(await metrics(1)).toMatchObject({ indicator: 'excellent', value: day, unit: 'ms' })
    expect(await metrics(7)).toMatchObject({ indicator: 'good' })
    expect(await metrics(30)).toMatchObject({ indicator: 'fair' })
    expect(await metrics(30.5)).toMatchObject({ indicator: 'needsAttention', modifier: 'on average' })
    const emptyChart = await (await engineWithProjects()).api.getLeadTimeChart(
      { ...environmentKeys, expand: ['metrics'] },
      { as: admin },
    )
    expect(emptyChart.metadata.metrics.leadTime).toMatchObject({ indicator: 'notCalculated', value: 0 })
    expect(emptyChart.metadata.metrics.leadTime?.tiers.map((tier) => tier.indicator)).toEqual([
      'excellent',
      'good',
      'fair',
      'needsAttention',
    ])
  })

  it('accepts a comma-separated list of applications, and both expansions', async () => {
    const query =
      'projectKey=web&environmentKey=production&applicationKey=api,shop&groupBy=application&expand=metrics,percentiles'
    const response = await send(engine, `/api/v2/engineering-insights/charts/lead-time?${query}`)
    expect(response.status).toBe(200)
    const chart = JSON.parse(response.body as string) as Awaited<ReturnType<typeof chartOf>>
    expect(chart.series.map((item) => item.metadata.name)).toEqual(['api', 'shop'])
    expect(chart.metadata.metrics.leadTime).toBeDefined()
    const recent = samples.filter(
      (item) => item.deployedAt >= now - week && item.deployedAt < now && item.applicationKey !== 'worker',
    )
    expect(chart.metadata.summary.wait.p90).toBeCloseTo(quantile(durations(recent, 'wait'), 0.9), 3)
  })
})
