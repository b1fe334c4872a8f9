import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { expectShape, integer, listOf, members, number, object, optional, string } from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, type Door, doors, invalid, refusals, type SpecOperation, staged } from './spec-operation.ts'

const getLeadTimeChart = {
  id: 'getLeadTimeChart',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/lead-time',
  beta: true,
  success: 200,
} as const satisfies SpecOperation

const chart = members({
  metadata: members({ summary: object, xAxis: string, yAxis: string, name: string, metrics: object }),
  series: listOf(
    members({
      metadata: members({
        name: string,
        count: integer,
        bounds: listOf(members({ name: string, value: number })),
      }),
      data: listOf(members({ x: number, y: number, values: object })),
    }),
  ),
})

const hour = 3_600_000
const day = 24 * hour
const place = { projectKey: 'web', environmentKey: 'production' }

/**
 * Creates two changes that took one and three hours until deployment, one hour and two days ago, in one application
 * each.
 */
async function twoChanges({ api, admin, given, now }: TestEngine) {
  await given.project('web')
  const change = (externalId: string, applicationKey: string, ago: number, hours: number) => {
    const deployedAt = now() - ago
    const startedAt = deployedAt - hours * hour
    return { externalId, applicationKey, startedAt, openedAt: startedAt, mergedAt: deployedAt, deployedAt }
  }
  const samples = [change('1', 'shop', hour, 1), change('2', 'cart', 2 * day, 3)]
  await api.createLeadTimeSamples({ body: { ...place, samples } }, { as: admin })
  return { question: { query: place }, more: {} }
}

describeGates(getLeadTimeChart, twoChanges)

async function charted(door: Door, more: Record<string, string> = {}) {
  const { engine } = await staged(twoChanges)
  return answerOf(asking(engine, getLeadTimeChart, door)({ query: { ...place, ...more } }), getLeadTimeChart)
}

interface Series {
  readonly metadata: { readonly name: string; readonly count: number }
  readonly data: readonly { readonly x: number; readonly y: number; readonly values: { readonly count: number } }[]
}

const named = ({ series }: { readonly series: readonly Series[] }, name: string) =>
  series.find(({ metadata }) => metadata.name === name) as Series

describe.each(doors)('getLeadTimeChart %s', (door) => {
  it('returns every field of docs/specification.md, and metrics only if requested', async () => {
    const answer = await charted(door)
    expectShape(answer, chart)
    expect(answer.metadata).toMatchObject({ xAxis: 'timestamp', yAxis: 'duration', name: 'leadTime', metrics: {} })
    const total = named(answer, 'total')
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
    const answer = await charted(door, { expand: 'metrics' })
    expectShape(answer, chart)
    expectShape(
      answer.metadata.metrics,
      members({
        leadTime: members({
          value: number,
          unit: string,
          modifier: string,
          indicator: string,
          tiers: listOf(members({ indicator: string, description: string })),
        }),
      }),
    )
    expect(answer.metadata.metrics.leadTime).toMatchObject({ value: 2 * hour, unit: 'ms', indicator: 'excellent' })
  })

  it('returns percentiles in each bucket with the expansion `percentiles` (D25)', async () => {
    const answer = await charted(door, { expand: 'percentiles' })
    expectShape(answer, chart)
    const percentiles = { p50: hour, p75: hour, p90: hour, p95: hour, p99: hour }
    expect(named(answer, 'total').data.at(-1)).toMatchObject({ y: hour, values: { count: 1, ...percentiles } })
    const values = members({
      count: integer,
      ...Object.fromEntries(Object.keys(percentiles).map((name) => [name, optional(number)])),
    })
    for (const { data } of answer.series) for (const point of data) expectShape(point.values, values)
  })

  it('covers the last 7 days in buckets of 86400000 ms that end now, by default', async () => {
    const { engine } = await staged(twoChanges)
    const now = engine.now()
    const ask = asking(engine, getLeadTimeChart, door)
    const asIs = await answerOf(ask({ query: place }), getLeadTimeChart)
    const xs = Array.from({ length: 7 }, (_, i) => now - (7 - i) * day)
    for (const { data } of asIs.series) expect(data.map(({ x }) => x)).toEqual(xs)
    const defaults = { from: String(now - 7 * day), to: String(now), bucketType: 'rolling', bucketMs: '86400000' }
    const said = await answerOf(ask({ query: { ...place, ...defaults, groupBy: 'stage' } }), getLeadTimeChart)
    expect(said).toEqual(asIs)
  })

  it('has an empty bucket where nothing was deployed (D25)', async () => {
    const { data } = named(await charted(door), 'total')
    expect(data[0]).toMatchObject({ y: 0, values: { count: 0 } })
    expect(data.map(({ values }) => values.count)).toEqual([0, 0, 0, 0, 0, 1, 1])
  })

  it.each([
    ['hour', hour],
    ['day', day],
  ])('aligns buckets of type %s to UTC', async (bucketType, width) => {
    const { engine } = await staged(twoChanges, { now: Date.UTC(2026, 0, 1, 5, 30) })
    const query = { ...place, bucketType, bucketMs: String(width), from: String(engine.now() - day) }
    const answer = await answerOf(asking(engine, getLeadTimeChart, door)({ query }), getLeadTimeChart)
    expectShape(answer, chart)
    const { data } = named(answer, 'total')
    for (const { x } of data) expect(x % width).toBe(0)
    expect(data.length).toBe(width === hour ? 25 : 2)
  })

  it('groups by stage or by application', async () => {
    const names = async (more: Record<string, string>) =>
      (await charted(door, more)).series.map(({ metadata }) => metadata.name).sort()
    const stages = await names({})
    expect(stages).toContain('total')
    for (const name of stages) expect(['coding', 'review', 'wait', 'deploy', 'total']).toContain(name)
    expect(await names({ groupBy: 'stage' })).toEqual(stages)
    expect(await names({ groupBy: 'application' })).toEqual(['cart', 'shop'])
  })

  it('covers only the applications in applicationKey', async () => {
    expect(named(await charted(door, { applicationKey: 'cart' }), 'total').metadata.count).toBe(1)
    expect(named(await charted(door, { applicationKey: 'cart,shop' }), 'total').metadata.count).toBe(2)
  })

  it('requires projectKey', async () => {
    const { engine } = await staged(twoChanges)
    const outcome = await asking(engine, getLeadTimeChart, door)({ query: { environmentKey: 'production' } })
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
    const { engine } = await staged(twoChanges)
    const ask = asking(engine, getLeadTimeChart, door)
    expect(await ask({ query: { projectKey: 'web' } })).toEqual(invalid(['environmentKey', 'must be present']))
    expect(await ask()).toEqual(invalid(['projectKey', 'must be present'], ['environmentKey', 'must be present']))
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['a start that is not a time', { from: 'yesterday' }, 'from', 'must be integer Unix milliseconds'],
    ['an end that is not a time', { to: '1.5' }, 'to', 'must be integer Unix milliseconds'],
    ['an empty range', { from: '5', to: '5' }, 'from', 'must be before to'],
    ['an unknown bucket type', { bucketType: 'week' }, 'bucketType', 'must be one of rolling, hour, day'],
    ['buckets without length', { bucketMs: '0' }, 'bucketMs', 'must be at least 1'],
    ['an unknown grouping', { groupBy: 'team' }, 'groupBy', 'must be one of application, stage'],
    ['an unknown expansion', { expand: 'means' }, 'expand.0', 'must be one of metrics, percentiles'],
    ['too many buckets', { bucketMs: '1' }, 'bucketMs', 'must be so large that the range has at most 2000 buckets'],
  ])('gets 400 for %s', async (_, more, attribute, reason) => {
    const { engine } = await staged(twoChanges)
    const outcome = await asking(engine, getLeadTimeChart, door)({ query: { ...place, ...more } })
    expect(outcome).toEqual(invalid([attribute, reason]))
  })

  it('is not found for a missing project or environment', async () => {
    const { engine } = await staged(twoChanges)
    const ask = asking(engine, getLeadTimeChart, door)
    expect(await ask({ query: { ...place, environmentKey: 'none' } })).toEqual(refusals.not_found)
    expect(await ask({ query: { ...place, projectKey: 'none' } })).toEqual(refusals.not_found)
  })

  it('is forbidden for a caller without the right to view the project', async () => {
    const { engine, question } = await staged(twoChanges)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await asking(engine, getLeadTimeChart, door)({ ...question, as: token })).toEqual(refusals.forbidden)
  })
})
