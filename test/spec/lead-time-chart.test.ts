import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { expectShape, integer, listOf, number, object, objectOf, optional, string } from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  invalid,
  refusals,
  type SpecOperation,
  senderOf,
  successBody,
  type Transport,
  transports,
} from './spec-operation.ts'

const getLeadTimeChart = {
  id: 'getLeadTimeChart',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/lead-time',
  beta: true,
  success: 200,
} as const satisfies SpecOperation

const chart = objectOf({
  metadata: objectOf({ summary: object, xAxis: string, yAxis: string, name: string, metrics: object }),
  series: listOf(
    objectOf({
      metadata: objectOf({
        name: string,
        count: integer,
        bounds: listOf(objectOf({ name: string, value: number })),
      }),
      data: listOf(objectOf({ x: number, y: number, values: object })),
    }),
  ),
})

const hour = 3_600_000
const day = 24 * hour
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/**
 * Creates two changes, in one application each. One took an hour and was deployed an hour ago, the other took three
 * hours and was deployed two days ago.
 */
async function twoChanges({ api, admin, given, now }: TestEngine) {
  await given.project('web')
  const change = (externalId: string, applicationKey: string, ago: number, hours: number) => {
    const deployedAt = now() - ago
    const startedAt = deployedAt - hours * hour
    return { externalId, applicationKey, startedAt, openedAt: startedAt, mergedAt: deployedAt, deployedAt }
  }
  const samples = [change('1', 'shop', hour, 1), change('2', 'cart', 2 * day, 3)]
  await api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, { as: admin })
  return { request: { query: environmentKeys }, fixture: {} }
}

describeCommonRules(getLeadTimeChart, twoChanges)

async function readChart(transport: Transport, extraQuery: Record<string, string> = {}) {
  const { engine } = await engineWith(twoChanges)
  return successBody(
    senderOf(engine, getLeadTimeChart, transport)({ query: { ...environmentKeys, ...extraQuery } }),
    getLeadTimeChart,
  )
}

interface Series {
  readonly metadata: { readonly name: string; readonly count: number }
  readonly data: readonly { readonly x: number; readonly y: number; readonly values: { readonly count: number } }[]
}

const seriesNamed = ({ series }: { readonly series: readonly Series[] }, name: string) =>
  series.find(({ metadata }) => metadata.name === name) as Series

describe.each(transports)('getLeadTimeChart %s', (transport) => {
  it('returns every field of docs/specification.md, and metrics only if requested', async () => {
    const response = await readChart(transport)
    expectShape(response, chart)
    expect(response.metadata).toMatchObject({ xAxis: 'timestamp', yAxis: 'duration', name: 'leadTime', metrics: {} })
    const total = seriesNamed(response, 'total')
    expect(total.metadata).toEqual({
      name: 'total',
      count: 2,
      bounds: [
        { name: 'min', value: hour },
        { name: 'max', value: 3 * hour },
      ],
    })
  })

  it('rates the mean with the expansion `metrics`', async () => {
    const response = await readChart(transport, { expand: 'metrics' })
    expectShape(response, chart)
    expectShape(
      response.metadata.metrics,
      objectOf({
        leadTime: objectOf({
          value: number,
          unit: string,
          modifier: string,
          indicator: string,
          tiers: listOf(objectOf({ indicator: string, description: string })),
        }),
      }),
    )
    expect(response.metadata.metrics.leadTime).toMatchObject({ value: 2 * hour, unit: 'ms', indicator: 'excellent' })
  })

  it('returns percentiles in each bucket with the expansion `percentiles`', async () => {
    const response = await readChart(transport, { expand: 'percentiles' })
    expectShape(response, chart)
    const percentiles = { p50: hour, p75: hour, p90: hour, p95: hour, p99: hour }
    expect(seriesNamed(response, 'total').data.at(-1)).toMatchObject({ y: hour, values: { count: 1, ...percentiles } })
    const values = objectOf({
      count: integer,
      ...Object.fromEntries(Object.keys(percentiles).map((name) => [name, optional(number)])),
    })
    for (const { data } of response.series) for (const point of data) expectShape(point.values, values)
  })

  it('covers the last 7 days in buckets of 86400000 ms that end now, by default', async () => {
    const { engine } = await engineWith(twoChanges)
    const now = engine.now()
    const send = senderOf(engine, getLeadTimeChart, transport)
    const withDefaults = await successBody(send({ query: environmentKeys }), getLeadTimeChart)
    const xs = Array.from({ length: 7 }, (_, i) => now - (7 - i) * day)
    for (const { data } of withDefaults.series) expect(data.map(({ x }) => x)).toEqual(xs)
    const defaults = { from: String(now - 7 * day), to: String(now), bucketType: 'rolling', bucketMs: '86400000' }
    const withExplicitDefaults = await successBody(
      send({ query: { ...environmentKeys, ...defaults, groupBy: 'stage' } }),
      getLeadTimeChart,
    )
    expect(withExplicitDefaults).toEqual(withDefaults)
  })

  it('has an empty bucket where nothing was deployed', async () => {
    const { data } = seriesNamed(await readChart(transport), 'total')
    expect(data[0]).toMatchObject({ y: 0, values: { count: 0 } })
    expect(data.map(({ values }) => values.count)).toEqual([0, 0, 0, 0, 0, 1, 1])
  })

  it.each([
    ['hour', hour],
    ['day', day],
  ])('aligns buckets of type %s to UTC', async (bucketType, width) => {
    const { engine } = await engineWith(twoChanges, { now: Date.UTC(2026, 0, 1, 5, 30) })
    const query = { ...environmentKeys, bucketType, bucketMs: String(width), from: String(engine.now() - day) }
    const response = await successBody(senderOf(engine, getLeadTimeChart, transport)({ query }), getLeadTimeChart)
    expectShape(response, chart)
    const { data } = seriesNamed(response, 'total')
    for (const { x } of data) expect(x % width).toBe(0)
    expect(data.length).toBe(width === hour ? 25 : 2)
  })

  it('groups by stage or by application', async () => {
    const names = async (extraQuery: Record<string, string>) =>
      (await readChart(transport, extraQuery)).series.map(({ metadata }) => metadata.name).sort()
    const stages = await names({})
    expect(stages).toContain('total')
    for (const name of stages) expect(['coding', 'review', 'wait', 'deploy', 'total']).toContain(name)
    expect(await names({ groupBy: 'stage' })).toEqual(stages)
    expect(await names({ groupBy: 'application' })).toEqual(['cart', 'shop'])
  })

  it('covers only the applications in applicationKey', async () => {
    expect(seriesNamed(await readChart(transport, { applicationKey: 'cart' }), 'total').metadata.count).toBe(1)
    expect(seriesNamed(await readChart(transport, { applicationKey: 'cart,shop' }), 'total').metadata.count).toBe(2)
    expect(seriesNamed(await readChart(transport, { applicationKeys: 'cart' }), 'total').metadata.count).toBe(1)
    const both = { applicationKey: 'cart', applicationKeys: 'shop,cart' }
    expect(seriesNamed(await readChart(transport, both), 'total').metadata.count).toBe(2)
  })

  it('requires projectKey', async () => {
    const { engine } = await engineWith(twoChanges)
    const outcome = await senderOf(engine, getLeadTimeChart, transport)({ query: { environmentKey: 'production' } })
    expect(outcome).toEqual({
      status: 400,
      body: {
        code: 'invalid_request',
        message: 'validation failed',
        errors: [{ attribute: 'projectKey', reason: 'must be present' }],
      },
    })
  })

  it('requires environmentKey, and names all missing parameters', async () => {
    const { engine } = await engineWith(twoChanges)
    const send = senderOf(engine, getLeadTimeChart, transport)
    expect(await send({ query: { projectKey: 'web' } })).toEqual(invalid(['environmentKey', 'must be present']))
    expect(await send()).toEqual(invalid(['projectKey', 'must be present'], ['environmentKey', 'must be present']))
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['a start that is not a time', { from: 'yesterday' }, 'from', 'must be integer Unix milliseconds'],
    ['an end that is not a time', { to: '1.5' }, 'to', 'must be integer Unix milliseconds'],
    ['an empty range', { from: '5', to: '5' }, 'from', 'must be before `to`'],
    ['an unknown bucket type', { bucketType: 'week' }, 'bucketType', 'must be one of rolling, hour, day'],
    ['buckets without length', { bucketMs: '0' }, 'bucketMs', 'must be at least 1'],
    ['an unknown grouping', { groupBy: 'team' }, 'groupBy', 'must be one of application, stage'],
    ['an unknown expansion', { expand: 'means' }, 'expand.0', 'must be one of metrics, percentiles'],
    ['too many hours', { from: '0', bucketType: 'hour' }, 'from', 'must be at most 2000 hours before `to`'],
    ['too many days', { from: '0', bucketType: 'day' }, 'from', 'must be at most 2000 days before `to`'],
    ['too many buckets', { bucketMs: '1' }, 'bucketMs', 'must be so large that the range has at most 2000 buckets'],
  ])('gets 400 for %s', async (_, query, attribute, reason) => {
    const { engine } = await engineWith(twoChanges)
    const outcome = await senderOf(engine, getLeadTimeChart, transport)({ query: { ...environmentKeys, ...query } })
    expect(outcome).toEqual(invalid([attribute, reason]))
  })

  it('is not found for a missing project or environment', async () => {
    const { engine } = await engineWith(twoChanges)
    const send = senderOf(engine, getLeadTimeChart, transport)
    expect(await send({ query: { ...environmentKeys, environmentKey: 'none' } })).toEqual(refusals.not_found)
    expect(await send({ query: { ...environmentKeys, projectKey: 'none' } })).toEqual(refusals.not_found)
  })

  it('is forbidden for a caller without the right to view the project', async () => {
    const { engine, request } = await engineWith(twoChanges)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await senderOf(engine, getLeadTimeChart, transport)({ ...request, as: token })).toEqual(refusals.forbidden)
  })
})
