import { createEngine } from '@halyard/core'
import type { AccountStorage, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Suite } from '../compare.ts'

const suite = 'measurements'
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const now = Date.UTC(2026, 10, 23, 12)
const eventsPerReport = 1000

/** Measures how fast the exposures and the events of metrics of an experiment are counted. */
export const measurements: Suite = {
  name: suite,
  about: `Exposures and events of metrics a second, a thousand in a report of an SDK, each report committed before its response. Every unit is exposed once and has one event, and the second half of the units is counted after the first, so that a growing history would show. Target: 100,000 a second into memory, 20,000 into Postgres, which waits for the disk at every commit.`,
  async run() {
    return [...(await onMemory()), ...(await onPostgres())]
  },
}

async function onMemory(): Promise<Comparison[]> {
  // The first round warms up the JIT compiler.
  await rates(createMemoryStorage(), 20_000)
  return comparisonsOf('memory', await rates(createMemoryStorage(), 200_000), 100_000)
}

async function onPostgres(): Promise<Comparison[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  pool.on('error', () => {})
  try {
    return comparisonsOf('Postgres', await rates(createPostgresStorage({ pool }), 100_000), 20_000)
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** Counts a number of units with two events each, and returns the rates of both halves. */
async function rates(storage: Storage, units: number): Promise<readonly [number, number]> {
  const engine = createEngine({ storage, rateLimit: false, clock: () => now, sdk: { flushMs: 60_000 } })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  const { apiKey } = await engine.api.getEnvironment(environmentKeys, as)
  await storeMeasurement(storage.account('default'))
  const half = async (from: number) => {
    let totalMs = 0
    for (let first = from; first < from + units / 2; first += 10 * eventsPerReport) {
      for (const eventOf of [exposure, purchase]) {
        const startTime = performance.now()
        for (let report = first; report < first + 10 * eventsPerReport; report += eventsPerReport)
          await send(engine, apiKey, `${eventOf.name}-${report}`, report, eventOf)
        await engine.sdk.flush()
        totalMs += performance.now() - startTime
      }
    }
    return (units / totalMs) * 1000
  }
  const result = [await half(0), await half(units / 2)] as const
  await engine.close()
  return result
}

async function storeMeasurement(account: AccountStorage): Promise<void> {
  const metric = { key: 'revenue', metricVersion: 1, name: 'Revenue', eventKey: 'buy', value: 'numeric' }
  const body = {
    id: 'iteration',
    kind: 'experiment',
    flagKind: 'flag',
    flagKey: 'checkout',
    randomizationUnit: 'user',
    metrics: [{ ...metric, aggregation: 'sum', missing: 'zero', successCriteria: 'HigherThanBaseline' }],
    variations: [
      { id: 'control', index: 0 },
      { id: 'treatment', index: 1 },
    ],
    places: ['fallthrough'],
    startedAt: now - 60_000,
    version: 1,
  }
  const id = { collection: 'measurement', scope: 'proj/web:env/production', key: 'iteration' }
  await account.commit([{ do: 'insert', id, body, fields: { flagKey: 'checkout', metricKeys: ['revenue'] } }])
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

function comparisonsOf(name: string, rates: readonly [number, number], target: number): Comparison[] {
  return rates.map((rate, half) => {
    const [opsPerSecond, ratio] = [Math.round(rate), Math.round((rate / target) * 1000) / 1000]
    const part = half === 0 ? 'first half of the units' : 'second half of the units'
    return { suite, case: `${part} into ${name}`, peer: 'asked for', opsPerSecond, peerOpsPerSecond: target, ratio }
  })
}
