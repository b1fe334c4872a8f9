import { readdirSync, readFileSync } from 'node:fs'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Result, Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'
import { arrivesAt, count, experiment, startExperiment } from '../measurement-fixture.ts'

const suite = 'measurements'

/** Number of units, each with one exposure and one event. `HALYARD_BENCH_UNITS=10000` makes a run of seconds. */
const units = Number(process.env.HALYARD_BENCH_UNITS ?? 1_000_000)

/**
 * Measures how fast the exposures and the events of metrics of an experiment are counted, and how fast its results are
 * read.
 */
export const measurements: Suite = {
  name: suite,
  about: `Exposures and events of metrics a second, a thousand in a report of an SDK, each report committed before its response, and the latency of the results of the experiment. Every unit is exposed once and has one event. The first tenth of the units is compared with the last tenth, before which there is nine times as much history. Rates by processor time divide the events by the time of all processors, of the database server too. Other programs make also this time longer, because they use the same caches and memory; the progress of a run says how long a fixed work takes, which was 12 µs on the idle machine of these results. Target: 100,000 a second into memory, 20,000 into Postgres, which waits for the disk at every commit.`,
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
    const { rows } = await pool.query('show data_directory')
    const serverId = readFileSync(`${rows[0].data_directory}/postmaster.pid`, 'utf8').split('\n')[0]
    return await measure('Postgres', createPostgresStorage({ pool }), { units, target: 20_000, serverId })
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** Time that a number of events took. */
interface Duration {
  readonly wallMs: number
  /** Processor time of this process and of the database server, over all processors. */
  readonly processorMs: number
}

interface Options {
  readonly units: number
  /** Required events per second. */
  readonly target: number
  /** Process id of the database server. Default: there is none. */
  readonly serverId?: string | undefined
}

/**
 * Divides the units into ten parts and counts them. Measures the counting of the first part, of the last part, and of
 * all parts, and measures the results after the first and the last part.
 */
async function measure(name: string, storage: Storage, { units, target, serverId }: Options): Promise<Result[]> {
  let time = arrivesAt - 60_000
  const engine = createEngine({ storage, rateLimit: false, clock: () => time, sdk: { flushMs: 60_000 } })
  await engine.migrate()
  const as = (await engine.bootstrap())?.token as string
  const apiKey = await startExperiment(engine, as)
  time = arrivesAt
  const results = (part: string) =>
    measureLatency({
      suite,
      case: `results of ${part} units`,
      storage: name,
      run: () => engine.api.getExperimentAnalysis(experiment, { as }),
    })
  const tenth = units / 10
  const tenths: Duration[] = []
  const latencies: Latency[] = []
  for (let index = 0; index < 10; index++) {
    const parseTime = parseMicroseconds()
    const before = processorMs(serverId)
    const wallMs = await count(engine, apiKey, { from: index * tenth, until: (index + 1) * tenth })
    const duration = { wallMs, processorMs: processorMs(serverId) - before }
    tenths.push(duration)
    const done = `${(index + 1) * tenth} of ${units} units`
    console.log(`  ${name}: ${done}, ${textOf(duration)}, ${parseTime.toFixed(1)} µs for a fixed work`)
    if (index === 0) latencies.push(await results(`${tenth}`))
  }
  latencies.push(await results(`${units}`))
  await engine.close()
  const rates = (part: string, durations: readonly Duration[]): Comparison[] => {
    const rate = (way: string, name: keyof Duration) => {
      const ms = durations.reduce((sum, duration) => sum + duration[name], 0)
      const opsPerSecond = Math.round((2 * tenth * durations.length * 1000) / ms)
      const ratio = Math.round((opsPerSecond / target) * 1000) / 1000
      return { suite, case: `${part}${way}`, peer: 'asked for', opsPerSecond, peerOpsPerSecond: target, ratio }
    }
    return [rate(`, ${name}`, 'wallMs'), rate(`, ${name}, by processor time`, 'processorMs')]
  }
  return [
    ...rates(`${units} units`, tenths),
    ...rates(`first tenth of ${units} units`, tenths.slice(0, 1)),
    ...rates(`last tenth of ${units} units`, tenths.slice(9)),
    ...latencies,
  ]
}

function textOf({ wallMs, processorMs }: Duration): string {
  return `${Math.round(wallMs)} ms, ${Math.round(processorMs)} ms of processors`
}

const parsedText = JSON.stringify(
  Array.from({ length: 60 }, (_, id) => ({ id, name: `entry number ${id}`, tags: ['a', 'b'], on: id % 2 === 0 })),
)

/**
 * Returns the processor time of parsing 4 kB of JSON, in µs. It makes runs on machines of different speed and load
 * comparable.
 */
function parseMicroseconds(): number {
  const parses = 2000
  const before = processorMs(undefined)
  for (let i = 0; i < parses; i++) JSON.parse(parsedText)
  return ((processorMs(undefined) - before) * 1000) / parses
}

/** Returns the time that processors have worked for this process, and for a database server with its children. */
function processorMs(serverId: string | undefined): number {
  const { user, system } = process.cpuUsage()
  const cpuMs = (user + system) / 1000
  if (serverId === undefined) return cpuMs
  // Linux counts in ticks of 10 ms, after the name of the program in parentheses; the parent is the second value.
  return readdirSync('/proc').reduce((sum, id) => {
    if (!/^\d+$/.test(id)) return sum
    const values = statOf(id)
    if (id !== serverId && values[1] !== serverId) return sum
    return sum + (Number(values[11]) + Number(values[12])) * 10
  }, cpuMs)
}

/** Returns an empty list for a process that has ended. */
function statOf(id: string): readonly string[] {
  try {
    return (readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1] ?? '').split(' ')
  } catch {
    return []
  }
}
