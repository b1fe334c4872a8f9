import { Bench } from 'tinybench'

/** Latency of the calls of one case on one storage. */
export interface Latency {
  readonly suite: string
  readonly case: string
  readonly storage: string
  /** Median of the durations, ms. */
  readonly p50Ms: number
  /** Duration that 99 % of the calls do not exceed, ms. */
  readonly p99Ms: number
  readonly calls: number
}

export interface LatencyTask {
  readonly suite: string
  readonly case: string
  readonly storage: string
  /** Prepares one call. The time of the preparation is not measured. */
  prepare?(): Promise<string>
  run(setupResult: string): Promise<unknown>
}

const taskMs = 600
const minCalls = 30

/** Measures calls one after the other. Each call has a preparation, which is not measured. */
export async function measureLatency({ suite, case: name, storage, prepare, run }: LatencyTask): Promise<Latency> {
  let setupResult = ''
  const beforeEach = prepare && (async () => void (setupResult = await prepare()))
  const options = { time: taskMs, iterations: minCalls, warmupTime: 50, warmupIterations: 3, throws: true }
  const bench = new Bench(options).add('task', async () => void (await run(setupResult)), { beforeEach })
  const [taskResult] = await bench.run()
  if (taskResult?.result.state !== 'completed')
    throw new Error(`${name} on ${storage} failed`, { cause: taskResult?.result })
  const { p50, p99, samplesCount } = taskResult.result.latency
  return { suite, case: name, storage, p50Ms: rounded(p50), p99Ms: rounded(p99), calls: samplesCount }
}

function rounded(ms: number): number {
  return Number(ms.toPrecision(3))
}
