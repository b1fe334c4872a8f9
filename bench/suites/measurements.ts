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
