import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Result, Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'

const suite = 'measurements'
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const experiment = { ...environmentKeys, experimentKey: 'checkout' }
const now = Date.UTC(2026, 10, 23, 12)
const eventsPerReport = 1000

/** Number of units, each with one exposure and one event. `HALYARD_BENCH_UNITS=10000` makes a run of seconds. */
const units = Number(process.env.HALYARD_BENCH_UNITS ?? 1_000_000)

/** Measures how fast the exposures and the events of metrics of an experiment are counted, and how fast its results are read. */
export const measurements: Suite = {
  name: suite,
  about: `Exposures and events of metrics a second, a thousand in a report of an SDK, each report committed before its response, and the latency of the results of the experiment. Every unit is exposed once and has one event. The first tenth of the units is compared with the last tenth, before which there is nine times as much history. Target: 100,000 a second into memory, 20,000 into Postgres, which waits for the disk at every commit.`,
  async run() {
    return [...(await onMemory()), ...(await onPostgres())]
  },
}

async function onMemory(): Promise<Result[]> {
  // The first round warms up the JIT compiler.
  await measure('memory, warm-up', createMemoryStorage(), { units: 20_000, target: 100_000 })
  return measure('memory', createMemoryStorage(), { units, target: 100_000 })
}

async function onPostgres(): Promise<Result[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  pool.on('error', () => {})
  try {
    return await measure('Postgres', createPostgresStorage({ pool }), { units, target: 20_000 })
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** Counts the units in tenths, and measures the first and the last one, all of them, and the results after both. */
async function measure(
  name: string,
  storage: Storage,
  { units, target }: { readonly units: number; readonly target: number },
): Promise<Result[]> {
  let time = now - 60_000
  const engine = createEngine({ storage, rateLimit: false, clock: () => time, sdk: { flushMs: 60_000 } })
  await engine.migrate()
  const as = (await engine.bootstrap())?.token as string
  const apiKey = await startExperiment(engine, as)
  time = now
  const results = (part: string) =>
    measureLatency({
      suite,
      case: `results of ${part} units`,
      storage: name,
      run: () => engine.api.getExperimentAnalysis(experiment, { as }),
    })
  const tenth = units / 10
  const msOfTenths: number[] = []
  const latencies: Latency[] = []
  for (let index = 0; index < 10; index++) {
    msOfTenths.push(await count(engine, apiKey, { from: index * tenth, until: (index + 1) * tenth }))
    console.log(`  ${name}: ${(index + 1) * tenth} of ${units} units, ${Math.round(msOfTenths[index] as number)} ms`)
    if (index === 0) latencies.push(await results(`${tenth}`))
  }
  latencies.push(await results(`${units}`))
  await engine.close()
  const rate = (part: string, ms: number, counted: number): Comparison => {
    const opsPerSecond = Math.round((2 * counted * 1000) / ms)
    const ratio = Math.round((opsPerSecond / target) * 1000) / 1000
    return { suite, case: `${part} into ${name}`, peer: 'asked for', opsPerSecond, peerOpsPerSecond: target, ratio }
  }
  const totalMs = msOfTenths.reduce((sum, ms) => sum + ms, 0)
  return [
    rate(`${units} units`, totalMs, units),
    rate(`first tenth of ${units} units`, msOfTenths[0] as number, tenth),
    rate(`last tenth of ${units} units`, msOfTenths[9] as number, tenth),
    ...latencies,
  ]
}

/** Sends the exposures and events of some units, ten reports before each write. Returns the time in ms. */
async function count(
  engine: Engine,
  apiKey: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<number> {
  let totalMs = 0
  for (let first = from; first < until; first += 10 * eventsPerReport) {
    const end = Math.min(first + 10 * eventsPerReport, until)
    for (const eventOf of [exposure, purchase]) {
      const startTime = performance.now()
      for (let report = first; report < end; report += eventsPerReport)
        await send(engine, apiKey, `${eventOf.name}-${report}`, report, eventOf)
      await engine.sdk.flush()
      totalMs += performance.now() - startTime
    }
  }
  return totalMs
}

/** Starts an experiment on the default rule of a flag. Returns the key of the environment for SDKs. */
async function startExperiment({ api }: Engine, as: string): Promise<string> {
  const { projectKey } = environmentKeys
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const metric = { key: 'revenue', name: 'Revenue', kind: 'custom', eventKey: 'buy', isNumeric: true } as const
  const numeric = { unitAggregationType: 'sum', successCriteria: 'HigherThanBaseline', unit: 'USD' } as const
  await api.postMetric({ projectKey, body: { ...metric, ...numeric } }, { as })
  const flagKey = 'checkout'
  const { variations } = await api.createFlag({ projectKey, body: { key: flagKey, name: 'Checkout' } }, { as })
  const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never
  await api.patchFlag({ projectKey, flagKey, body: turnOn }, { as })
  const iteration = {
    hypothesis: 'It sells more',
    metrics: [{ key: 'revenue' }],
    primarySingleMetricKey: 'revenue',
    treatments: variations.map(({ _id }, index) => ({
      name: `treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '50',
      parameters: [{ flagKey, variationId: _id as string }],
    })),
    flags: { [flagKey]: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
  }
  await api.createExperiment({ ...environmentKeys, body: { key: 'checkout', name: 'Checkout', iteration } }, { as })
  const body = { instructions: [{ kind: 'startIteration' }] } as never
  await api.patchExperiment({ ...experiment, body }, { as })
  return (await api.getEnvironment(environmentKeys, { as })).apiKey
}

type Engine = ReturnType<typeof createEngine>

async function send(
  engine: Engine,
  apiKey: string,
  id: string,
  first: number,
  eventOf: (unit: number) => object,
): Promise<void> {
  const headers: Readonly<Record<string, string>> = { authorization: apiKey, 'x-launchdarkly-payload-id': id }
  const value = Array.from({ length: eventsPerReport }, (_, index) => eventOf(first + index))
  const body = { kind: 'parsed', value } as const
  const request = { method: 'POST', path: '/bulk', query: '', header: (name: string) => headers[name], body }
  const response = await engine.sdk.handle(request)
  if (response?.status !== 202) throw new Error(`expected 202, got ${response?.status}`)
}

function exposure(unit: number): object {
  const reason = { kind: 'FALLTHROUGH', inExperiment: true }
  const contextKeys = { user: `user-${unit}` }
  return {
    kind: 'feature',
    key: 'checkout',
    version: 1,
    variation: unit % 2,
    creationDate: now - 2000,
    contextKeys,
    reason,
  }
}

function purchase(unit: number): object {
  const contextKeys = { user: `user-${unit}` }
  return { kind: 'custom', key: 'buy', metricValue: unit % 100, creationDate: now - 1000, contextKeys }
}
