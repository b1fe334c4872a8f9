import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type Statement } from '../../index.ts'

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day

// The days around the end of a February of a leap year.
const now = Date.UTC(2028, 2, 3, 15, 30)
const admin = { role: 'admin' } as const
const place = { projectKey: 'web', environmentKey: 'production' }

async function engineWithProjects(storage = createMemoryStorage()): Promise<Engine> {
  const engine = createEngine({ storage, clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token: 'a-token-for-this-test' })
  for (const key of ['web', 'other']) await engine.api.createProject({ body: { key, name: key } }, { as: admin })
  return engine
}

/** A request as a transport hands it over, by the administrator and with the beta header. */
function ask(
  engine: Engine,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const all: Record<string, string> = {
    authorization: 'a-token-for-this-test',
    'svc-api-version': 'beta',
    ...headers,
  }
  const [pathname = '', query = ''] = path.split('?')
  return engine.handle({
    method: body === undefined ? 'GET' : 'POST',
    path: pathname,
    query,
    header: (name) => all[name],
    body: { kind: 'parsed', value: body },
  })
}

interface Sample {
  readonly externalId: string
  readonly applicationKey: string
  readonly startedAt: number
  readonly openedAt?: number
  readonly mergedAt: number
  readonly deployStartedAt?: number
  readonly deployedAt: number
}

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Histories as they are: some without review or start of deployment, some with moments out of order. */
function history(count: number, seed: number): Sample[] {
  const roll = dice(seed)
  return Array.from({ length: count }, (_, i) => {
    const deployedAt = now - 12 * day + roll(14 * day)
    const deployStartedAt = deployedAt - roll(2 * hour) + (roll(20) === 0 ? 3 * hour : 0)
    const mergedAt = deployStartedAt - roll(2 * day)
    const openedAt = mergedAt - roll(3 * day) + (roll(20) === 0 ? 4 * day : 0)
    return {
      externalId: `pr-${i}`,
      applicationKey: ['api', 'shop', 'worker'][roll(3)] as string,
      startedAt: openedAt - roll(4 * day),
      ...(roll(4) === 0 ? {} : { openedAt }),
      mergedAt,
      ...(roll(4) === 0 ? {} : { deployStartedAt }),
      deployedAt,
    }
  })
}

/** D25, read once more and computed the slow way. */
const durationOf: Record<string, (sample: Sample) => number> = {
  coding: (s) => (s.openedAt ?? s.mergedAt) - s.startedAt,
  review: (s) => (s.openedAt === undefined ? Number.NaN : s.mergedAt - s.openedAt),
  wait: (s) => (s.deployStartedAt ?? s.deployedAt) - s.mergedAt,
  deploy: (s) => (s.deployStartedAt === undefined ? Number.NaN : s.deployedAt - s.deployStartedAt),
  total: (s) => s.deployedAt - s.startedAt,
}

function durations(samples: readonly Sample[], stage: string): number[] {
  return samples.map(durationOf[stage] as (sample: Sample) => number).filter((ms) => ms >= 0)
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((a, b) => a + b, 0) / numbers.length
}

/** the value at rank (n - 1) p, counted from 0, between its neighbours. */
function quantile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const rank = (sorted.length - 1) * p
  const low = sorted[Math.floor(rank)] ?? 0
  const high = sorted[Math.ceil(rank)] ?? 0
  return low + (high - low) * (rank - Math.floor(rank))
}

describe('adding lead-time samples', () => {
  const samples = history(2500, 7)
  const add = (engine: Engine, some: readonly Sample[]) =>
    engine.api.createLeadTimeSamples({ body: { ...place, samples: [...some] } }, { as: admin })

  it('tells how many were added and how many were known', async () => {
    const engine = await engineWithProjects()
    expect(await add(engine, samples.slice(0, 1000))).toEqual({ accepted: 1000, added: 1000, known: 0 })
    expect(await add(engine, samples.slice(500, 2000))).toEqual({ accepted: 1500, added: 1000, known: 500 })
    expect(await add(engine, samples.slice(0, 2000))).toEqual({ accepted: 2000, added: 0, known: 2000 })
    expect(await add(engine, [])).toEqual({ accepted: 0, added: 0, known: 0 })
  })

  it('keeps the first of two samples with one id, also in one request', async () => {
    const engine = await engineWithProjects()
    const first = {
      externalId: 'a',
      applicationKey: 'api',
      startedAt: now - 3 * hour,
      mergedAt: now - 2 * hour,
      deployedAt: now - hour,
    }
    const second = { ...first, startedAt: now - 9 * hour }
    expect(await add(engine, [first, second])).toEqual({ accepted: 2, added: 1, known: 1 })
    const chart = await engine.api.getLeadTimeChart(place, { as: admin })
    expect(chart.metadata.summary.total).toEqual({ count: 1, mean: 2 * hour })
  })

  it('answers 201 over a transport, and needs the beta header', async () => {
    const engine = await engineWithProjects()
    const path = '/api/v2/engineering-insights/lead-time-samples'
    const body = { ...place, samples: samples.slice(0, 3) }
    const answer = await ask(engine, path, { body })
    expect(answer.status).toBe(201)
    expect(JSON.parse(answer.body as string)).toEqual({ accepted: 3, added: 3, known: 0 })
    expect((await ask(engine, path, { body, headers: { 'svc-api-version': '' } })).status).toBe(403)
  })

  it('takes 10,000 samples and not one more', async () => {
    const engine = await engineWithProjects()
    const most = history(10_001, 3)
    expect((await add(engine, most.slice(0, 10_000))).added).toBe(10_000)
    await expect(add(engine, most)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'samples' }],
    })
  })

  it('names every fault of the body', async () => {
    const engine = await engineWithProjects()
    const body = {
      environmentKey: 'production',
      samples: [{ externalId: '', applicationKey: 'a b', startedAt: -1, mergedAt: 'x' }],
    }
    const answer = await ask(engine, '/api/v2/engineering-insights/lead-time-samples', { body })
    expect(answer.status).toBe(400)
    const told = JSON.parse(answer.body as string) as { code: string; errors: { attribute: string }[] }
    expect(told.code).toBe('invalid_request')
    expect(told.errors.map((one) => one.attribute).sort()).toEqual([
      'projectKey',
      'samples.0.applicationKey',
      'samples.0.deployedAt',
      'samples.0.externalId',
      'samples.0.mergedAt',
      'samples.0.startedAt',
    ])
  })

  it('finds no unknown project or environment', async () => {
    const engine = await engineWithProjects()
    for (const wrong of [{ projectKey: 'nope' }, { environmentKey: 'nope' }]) {
      const body = { ...place, ...wrong, samples: [] }
      await expect(engine.api.createLeadTimeSamples({ body }, { as: admin })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })

  it('asks for createLeadTimeSample in the environment that the body names', async () => {
    const engine = await engineWithProjects()
    const statement = (environment: string): Statement => ({
      effect: 'allow',
      resources: [`proj/web:env/${environment}:lead-time-sample/*`],
      actions: ['createLeadTimeSample'],
    })
    const call = (environment: string) =>
      engine.api.createLeadTimeSamples(
        { body: { ...place, samples: [] } },
        { as: { policy: [statement(environment)] } },
      )
    await expect(call('production')).resolves.toEqual({ accepted: 0, added: 0, known: 0 })
    await expect(call('test')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('forgets the samples of an environment that is deleted', async () => {
    const engine = await engineWithProjects()
    await add(engine, samples)
    await engine.api.deleteEnvironment(place, { as: admin })
    await engine.api.createEnvironment(
      { projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } },
      { as: admin },
    )
    const chart = await engine.api.getLeadTimeChart(place, { as: admin })
    expect(chart.series.map((one) => one.metadata.count)).toEqual([0, 0, 0, 0, 0])
  })
})

describe('the lead-time chart', () => {
  const samples = history(3000, 42)
  let engine: Engine

  beforeAll(async () => {
    engine = await engineWithProjects()
    for (let i = 0; i < samples.length; i += 700) {
      // The batches overlap, as those of an importer that was interrupted do.
      const batch = samples.slice(Math.max(0, i - 50), i + 700)
      await engine.api.createLeadTimeSamples({ body: { ...place, samples: batch } }, { as: admin })
    }
  })

  const chartOf = (query: object = {}) => engine.api.getLeadTimeChart({ ...place, ...query }, { as: admin })

  it('shows by default the stages of the last 7 days in rolling days up to now', async () => {
    const chart = await chartOf()
    expect(chart.metadata).toMatchObject({ name: 'leadTime', xAxis: 'timestamp', yAxis: 'duration', metrics: {} })
    expect(chart.series.map((one) => one.metadata.name)).toEqual(['coding', 'review', 'wait', 'deploy', 'total'])
    const starts = [7, 6, 5, 4, 3, 2, 1].map((days) => now - days * day)
    for (const { metadata, data } of chart.series) {
      expect(data.map((point) => point.x)).toEqual(starts)
      for (const { x, y, values } of data) {
        const inside = samples.filter((one) => one.deployedAt >= x && one.deployedAt < x + day)
        const expected = durations(inside, metadata.name)
        expect(values).toEqual({ count: expected.length })
        expect(y).toBeCloseTo(mean(expected), 3)
      }
      expect(metadata.count).toBe(data.reduce((sum, point) => sum + point.values.count, 0))
    }
  })

  type Chart = Awaited<ReturnType<typeof chartOf>>
  type Axis = { from: number; to: number; bucketType: 'rolling' | 'hour' | 'day'; bucketMs: number }

  /** Buckets lie side by side from `from` or before it to `to` or after it; days and hours on the clock of UTC. */
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
    wanted: readonly number[],
    percentiles: boolean,
  ) {
    const { p50, p75, p90, p95, p99, ...counted } = point.values
    expect(counted).toEqual({ count: wanted.length })
    expect(Math.abs(point.y - mean(wanted))).toBeLessThan(0.001)
    const shares = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }
    for (const [name, value] of Object.entries({ p50, p75, p90, p95, p99 })) {
      if (!percentiles) expect(value).toBeUndefined()
      else expect(Math.abs((value as number) - quantile(wanted, shares[name as 'p50']))).toBeLessThan(0.001)
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

  it('agrees with a slow computation by stage, for any range, buckets and applications', async () => {
    const applications = fc.subarray(['api', 'shop', 'worker', 'none'])
    await fc.assert(
      fc.asyncProperty(anyAxis, applications, fc.boolean(), async (axis, applicationKey, percentiles) => {
        const expand = percentiles ? ['percentiles' as const] : []
        const chart = await chartOf({ ...axis, applicationKey, expand })
        const wanted = samples
          .filter((one) => one.deployedAt >= axis.from && one.deployedAt < axis.to)
          .filter((one) => applicationKey.length === 0 || applicationKey.includes(one.applicationKey))
        for (const { metadata, data } of chart.series) {
          const width = expectAxis(
            data.map((point) => point.x),
            axis,
          )
          for (const point of data) {
            const inside = wanted.filter((one) => one.deployedAt >= point.x && one.deployedAt < point.x + width)
            expectPoint(point, durations(inside, metadata.name), percentiles)
          }
          const all = durations(wanted, metadata.name)
          expect(metadata.count).toBe(all.length)
          const summary = chart.metadata.summary[metadata.name as 'total']
          expect(summary.count).toBe(all.length)
          expect(Math.abs(summary.mean - mean(all))).toBeLessThan(0.001)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('agrees with a slow computation by application', async () => {
    await fc.assert(
      fc.asyncProperty(anyAxis, async (axis) => {
        const chart = await chartOf({ ...axis, groupBy: 'application' })
        const wanted = samples.filter((one) => one.deployedAt >= axis.from && one.deployedAt < axis.to)
        const present = [...new Set(wanted.map((one) => one.applicationKey))].sort()
        expect(chart.series.map((one) => one.metadata.name)).toEqual(present)
        for (const { metadata, data } of chart.series) {
          const width = expectAxis(
            data.map((point) => point.x),
            axis,
          )
          const mine = wanted.filter((one) => one.applicationKey === metadata.name)
          for (const point of data) {
            const inside = mine.filter((one) => one.deployedAt >= point.x && one.deployedAt < point.x + width)
            expectPoint(point, durations(inside, 'total'), false)
          }
          expect(metadata.count).toBe(durations(mine, 'total').length)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('tells between which values each series moves, without its empty buckets', async () => {
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
    expect(empty.series.map((one) => one.metadata.bounds)).toEqual([[], [], [], [], []])
    expect(empty.series[0]?.data).toEqual([{ x: 0, y: 0, values: { count: 0 } }])
  })

  it('gives the leap day and the month after it buckets of their own', async () => {
    const from = Date.UTC(2028, 1, 28)
    const chart = await chartOf({ from, to: Date.UTC(2028, 2, 2), bucketType: 'day' })
    const total = chart.series.find((one) => one.metadata.name === 'total')
    expect(total?.data.map((point) => new Date(point.x).toISOString())).toEqual([
      '2028-02-28T00:00:00.000Z',
      '2028-02-29T00:00:00.000Z',
      '2028-03-01T00:00:00.000Z',
    ])
    for (const { x, values } of total?.data ?? []) {
      const date = new Date(x).toISOString().slice(0, 10)
      const same = samples.filter((one) => new Date(one.deployedAt).toISOString().startsWith(date))
      expect(values.count).toBe(durations(same, 'total').length)
      expect(values.count).toBeGreaterThan(0)
    }
  })

  it('starts the range at from and ends it before to', async () => {
    const fresh = await engineWithProjects()
    const at = Date.UTC(2028, 1, 29, 12)
    const edge = (externalId: string, deployedAt: number) => ({
      externalId,
      applicationKey: 'api',
      startedAt: at - hour,
      mergedAt: at - hour,
      deployedAt,
    })
    const body = {
      ...place,
      samples: [edge('before', at - 1), edge('from', at), edge('last', at + day - 1), edge('to', at + day)],
    }
    await fresh.api.createLeadTimeSamples({ body }, { as: admin })
    const chart = await fresh.api.getLeadTimeChart({ ...place, from: at, to: at + day }, { as: admin })
    expect(chart.metadata.summary.total).toEqual({ count: 2, mean: hour + (day - 1) / 2 })
  })

  it('rates the mean total lead time with expand=metrics', async () => {
    const metrics = async (days: number) => {
      const fresh = await engineWithProjects()
      const deployedAt = now - 1
      const sample = {
        externalId: 'a',
        applicationKey: 'api',
        startedAt: deployedAt - days * day,
        mergedAt: deployedAt,
        deployedAt,
      }
      await fresh.api.createLeadTimeSamples({ body: { ...place, samples: [sample] } }, { as: admin })
      return (await fresh.api.getLeadTimeChart({ ...place, expand: ['metrics'] }, { as: admin })).metadata.metrics
        .leadTime
    }
    expect(await metrics(0.99)).toMatchObject({ indicator: 'excellent', value: 0.99 * day, unit: 'ms' })
    expect(await metrics(1)).toMatchObject({ indicator: 'good' })
    expect(await metrics(7)).toMatchObject({ indicator: 'fair' })
    expect(await metrics(28)).toMatchObject({ indicator: 'needsAttention', modifier: 'on average' })
    const none = await (await engineWithProjects()).api.getLeadTimeChart(
      { ...place, expand: ['metrics'] },
      { as: admin },
    )
    expect(none.metadata.metrics.leadTime).toMatchObject({ indicator: 'notCalculated', value: 0 })
    expect(none.metadata.metrics.leadTime?.tiers.map((tier) => tier.indicator)).toEqual([
      'excellent',
      'good',
      'fair',
      'needsAttention',
    ])
  })

  it('takes a comma list of applications and both expansions over a transport', async () => {
    const query =
      'projectKey=web&environmentKey=production&applicationKey=api,shop&groupBy=application&expand=metrics,percentiles'
    const answer = await ask(engine, `/api/v2/engineering-insights/charts/lead-time?${query}`)
    expect(answer.status).toBe(200)
    const chart = JSON.parse(answer.body as string) as Awaited<ReturnType<typeof chartOf>>
    expect(chart.series.map((one) => one.metadata.name)).toEqual(['api', 'shop'])
    expect(chart.metadata.metrics.leadTime).toBeDefined()
    const recent = samples.filter(
      (one) => one.deployedAt >= now - week && one.deployedAt < now && one.applicationKey !== 'worker',
    )
    expect(chart.metadata.summary.wait.p90).toBeCloseTo(quantile(durations(recent, 'wait'), 0.9), 3)
  })
})

describe('what the lead-time chart refuses', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineWithProjects()
  })

  const both = 'projectKey=web&environmentKey=production'
  const refusal = async (query: string) => {
    const answer = await ask(engine, `/api/v2/engineering-insights/charts/lead-time?${query}`)
    return { status: answer.status, ...(JSON.parse(answer.body as string) as object) }
  }

  it('names each required key that is missing', async () => {
    expect(await refusal('')).toEqual({
      status: 400,
      code: 'invalid_request',
      message: 'validation failed',
      errors: [
        { attribute: 'projectKey', reason: 'must be present' },
        { attribute: 'environmentKey', reason: 'must be present' },
      ],
    })
    expect(await refusal('projectKey=web')).toMatchObject({
      errors: [{ attribute: 'environmentKey', reason: 'must be present' }],
    })
  })

  it.each([
    ['bucketType=week', 'bucketType'],
    ['bucketMs=0', 'bucketMs'],
    ['bucketMs=1.5', 'bucketMs'],
    ['groupBy=team', 'groupBy'],
    ['expand=everything', 'expand'],
    ['from=yesterday', 'from'],
    ['from=2000&to=1000', 'from'],
    ['from=1000&to=1000', 'from'],
    ['to=-1', 'to'],
    // One bucket too many, of each type.
    ['from=0&to=2001&bucketMs=1', 'bucketMs'],
    [`from=0&to=${2000 * hour + 1}&bucketType=hour`, 'bucketMs'],
    [`from=0&to=${2000 * day + 1}&bucketType=day`, 'bucketMs'],
  ])('refuses %s', async (query, attribute) => {
    const told = (await refusal(`${both}&${query}`)) as {
      status: number
      code: string
      errors: { attribute: string }[]
    }
    expect(told).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(told.errors.map((one) => one.attribute.split('.')[0])).toEqual([attribute])
  })

  it('draws 2,000 buckets', async () => {
    const chart = await engine.api.getLeadTimeChart({ ...place, from: 0, to: 2000, bucketMs: 1 }, { as: admin })
    expect(chart.series[0]?.data).toHaveLength(2000)
  })

  it('finds no unknown project or environment', async () => {
    expect(await refusal('projectKey=nope&environmentKey=production')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await refusal('projectKey=web&environmentKey=nope')).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('shows a project only to who may view it', async () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    const call = (projectKey: string) =>
      engine.api.getLeadTimeChart({ projectKey, environmentKey: 'production' }, { as: { policy } })
    await expect(call('other')).resolves.toBeDefined()
    await expect(call('web')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('needs a token and the beta header', async () => {
    const path = `/api/v2/engineering-insights/charts/lead-time?${both}`
    expect((await ask(engine, path, { headers: { authorization: '' } })).status).toBe(401)
    expect((await ask(engine, path, { headers: { 'svc-api-version': '20240415' } })).status).toBe(403)
  })
})
