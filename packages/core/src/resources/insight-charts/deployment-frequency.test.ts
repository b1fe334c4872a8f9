import { describe, expect, it } from 'vitest'
import {
  countingStorage,
  day,
  hour,
  insightAccount,
  production,
  start,
} from '../insight-groups/test/insight-account.ts'
import { type Release, releases } from './releases.fixture.ts'

async function account() {
  const insights = await insightAccount()
  const { api, as } = insights
  return {
    ...insights,
    chart: (query: object = {}) => api.getDeploymentFrequencyChart({ ...production, ...query }, { as }),
    report: (eventType: string, eventTime: number, overrides: object = {}) =>
      api.createDeploymentEvent(
        { body: { ...production, applicationKey: 'shop', version: 'v1', eventType, eventTime, ...overrides } as never },
        { as },
      ),
  }
}

describe('the deployment frequency chart', () => {
  it('has the last seven days by default, including days without deployments', async () => {
    const { chart } = await account()
    const { metadata, series } = await chart()
    expect(metadata).toEqual({
      summary: { finished: 0, failed: 0, started: 0, perDay: 0 },
      xAxis: 'timestamp',
      yAxis: 'count',
      name: 'deploymentFrequency',
      metrics: {},
    })
    expect(series).toEqual([
      {
        metadata: {
          name: 'deployments',
          count: 0,
          bounds: [
            { name: 'min', value: 0 },
            { name: 'max', value: 0 },
          ],
        },
        data: Array.from({ length: 7 }, (_, i) => ({ x: start - (7 - i) * day, y: 0, values: { count: 0 } })),
      },
    ])
  })

  it('counts successes in half-open ranges, and adds failures and starts when metrics are expanded', async () => {
    const { chart, report } = await account()
    await report('started', start - 2 * day)
    await report('failed', start - 2 * day + hour)
    await report('started', start - 2 * day + 2 * hour)
    await report('finished', start - day)
    await report('custom', start - hour)
    // The end of the range is exclusive.
    await report('finished', start, { version: 'v2' })
    const query = { from: start - 2 * day, to: start, bucketType: 'day', expand: 'metrics' }
    const { metadata, series } = await chart(query)
    expect(series[0]?.data).toEqual([
      { x: start - 2 * day, y: 0, values: { count: 0, finished: 0, failed: 1, started: 2 } },
      { x: start - day, y: 1, values: { count: 1, finished: 1, failed: 0, started: 0 } },
    ])
    expect(series[0]?.metadata).toEqual({
      name: 'deployments',
      count: 1,
      bounds: [
        { name: 'min', value: 0 },
        { name: 'max', value: 1 },
      ],
    })
    expect(metadata.summary).toEqual({ finished: 1, failed: 1, started: 2, perDay: 0.5 })
    expect(metadata.metrics).toEqual({
      deploymentFrequency: {
        value: 0.5,
        unit: 'count',
        modifier: 'per day',
        indicator: 'good',
        tiers: [
          { indicator: 'excellent', description: 'at least 1 per day' },
          { indicator: 'good', description: 'at least 1 per week' },
          { indicator: 'fair', description: 'at least 1 per 30 days' },
          { indicator: 'needsAttention', description: 'less than 1 per 30 days' },
        ],
      },
    })
  })

  it.each([
    [1, 1, 'excellent'],
    [7, 1, 'good'],
    [8, 1, 'fair'],
    [30, 1, 'fair'],
    [31, 1, 'needsAttention'],
    [30, 0, 'notCalculated'],
  ])('rates %i days with %i deployments', async (days, deployments, indicator) => {
    const { chart, report } = await account()
    if (deployments > 0) await report('finished', start - 1)
    const { metadata } = await chart({ from: start - days * day, expand: 'metrics' })
    expect(metadata.metrics.deploymentFrequency?.indicator).toBe(indicator)
  })

  it('distinguishes deployments and redeployments', async () => {
    const { chart, report } = await account()
    await report('started', start - 5 * hour)
    await report('finished', start - 4 * hour)
    await report('started', start - 3 * hour)
    await report('finished', start - 2 * hour)
    const { series } = await chart({ groupBy: 'kind' })
    expect(series.map(({ metadata }) => [metadata.name, metadata.count])).toEqual([
      ['deployment', 1],
      ['redeployment', 1],
    ])
  })

  it('has the requested applications even without deployments; without a request, the applications with events', async () => {
    const { chart, report } = await account()
    await report('finished', start - hour, { applicationKey: 'api' })
    await report('started', start - hour)
    const countsOf = async (query: object) =>
      (await chart({ groupBy: 'application', ...query })).series.map(({ metadata }) => [metadata.name, metadata.count])
    expect(await countsOf({})).toEqual([
      ['api', 1],
      ['shop', 0],
    ])
    expect(await countsOf({ applicationKey: 'none,api' })).toEqual([
      ['api', 1],
      ['none', 0],
    ])
    expect(await countsOf({ applicationKey: '' })).toHaveLength(2)
    expect((await chart({ applicationKey: 'shop' })).metadata.summary).toMatchObject({ finished: 0, started: 1 })
  })
})

describe('the releases of six real projects', () => {
  it('equal an independent count by day', async () => {
    const { chart, report } = await account()
    for (const { applicationKey, releasedAt } of releases) {
      await report('finished', releasedAt, { applicationKey, version: `v${releasedAt}` })
    }
    const from = Date.UTC(2025, 8, 1)
    const to = Date.UTC(2026, 7, 1)
    const { series, metadata } = await chart({ from, to, bucketType: 'day', groupBy: 'application' })
    const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    const inRange = releases.filter(({ releasedAt }) => {
      const date = dateOf(releasedAt)
      return date >= '2025-09-01' && date < '2026-08-01'
    })
    const tally = (releasesToCount: readonly Release[]) => {
      const counts: Record<string, number> = {}
      for (const { applicationKey, releasedAt } of releasesToCount) {
        const name = `${applicationKey} ${dateOf(releasedAt)}`
        counts[name] = (counts[name] ?? 0) + 1
      }
      return counts
    }
    const chartEntries = series.flatMap((line) =>
      line.data.filter(({ y }) => y > 0).map(({ x, y }) => [`${line.metadata.name} ${dateOf(x)}`, y]),
    )
    expect(Object.fromEntries(chartEntries)).toEqual(tally(inRange))
    expect(series.map((line) => line.data.length)).toEqual(Array(6).fill(334))
    expect(metadata.summary.finished).toBe(inRange.length)
    expect(metadata.summary.perDay).toBeCloseTo(inRange.length / 334, 9)
  })
})

it('the chart of deployment frequency is read with two queries', async () => {
  const { storage, asked: queries } = countingStorage()
  const { api, deployed } = await insightAccount(storage)
  await deployed('finished', start - day)
  queries.length = 0
  await api.getDeploymentFrequencyChart(production, { as: { role: 'admin' } })
  expect(queries.toSorted()).toEqual(['get', 'scan'])
})
