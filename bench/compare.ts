import { Bench } from 'tinybench'
import type { Footprint } from './footprint.ts'
import type { Latency } from './latency.ts'

/** One measured case with its peer, from the same run. */
export interface Comparison {
  readonly suite: string
  readonly case: string
  readonly peer: string
  readonly opsPerSecond: number
  readonly peerOpsPerSecond: number
  /** Our rate divided by the rate of the peer. Halyard is faster if the ratio is above 1. */
  readonly ratio: number
}

export interface ComparisonTask {
  readonly suite: string
  readonly case: string
  readonly ours: () => unknown
  readonly peer: { readonly name: string; readonly run: () => unknown }
  /** True for tasks that take about a second. Such tasks run fewer times. */
  readonly slow?: boolean
}

/** Result of a suite: a ratio to a peer, the latency of calls, or an amount of memory. */
export type Result = Comparison | Latency | Footprint

export interface Suite {
  readonly name: string
  /** Meaning of the results, for results.md. */
  readonly about: string
  run(): Promise<Result[]>
}

const rounds = 5
const roundMs = 400

let isTrial = false

/** From now on, each task runs a few times only, to check that suites work. Their results have no meaning. */
export function tryTasks(): void {
  isTrial = true
}

/** Returns the number of calls before a measurement. */
export function warmUpCalls(calls: number): number {
  return isTrial ? 1 : calls
}

/**
 * Measures our task and the task of the peer in alternation, so that noise of the machine affects both, and returns the
 * median round. Times are wall clock on the current machine; only the ratio is comparable between machines.
 */
export async function compare(comparisonTask: ComparisonTask): Promise<Comparison> {
  if (!isTrial) process.stderr.write(`  ... ${comparisonTask.case} beside ${comparisonTask.peer.name}\n`)
  const ours: number[] = []
  const peer: number[] = []
  for (let round = 0; round < (isTrial ? 1 : rounds); round++) {
    const pair: [number[], () => unknown][] = [
      [ours, comparisonTask.ours],
      [peer, comparisonTask.peer.run],
    ]
    for (const [rates, task] of round % 2 === 0 ? pair : pair.reverse()) {
      rates.push(await throughput(task, comparisonTask.slow ?? false))
    }
  }
  const opsPerSecond = rounded(median(ours))
  const peerOpsPerSecond = rounded(median(peer))
  const ratio = Math.round((median(ours) / median(peer)) * 1000) / 1000
  return {
    suite: comparisonTask.suite,
    case: comparisonTask.case,
    peer: comparisonTask.peer.name,
    opsPerSecond,
    peerOpsPerSecond,
    ratio,
  }
}

async function throughput(task: () => unknown, slow: boolean): Promise<number> {
  const fewIterations = slow ? { iterations: 2, warmupIterations: 1 } : {}
  const times = isTrial
    ? { time: 0, iterations: 1, warmup: false }
    : { time: roundMs, warmupTime: 100, ...fewIterations }
  const bench = new Bench(times).add('task', task)
  const [taskResult] = await bench.run()
  if (taskResult?.result.state !== 'completed') throw new Error(`a task failed`, { cause: taskResult?.result })
  // Calls per second of busy time: the inverse of the mean latency.
  return 1000 / taskResult.result.latency.mean
}

/** Rounds to three digits below 100, and to an integer above. */
function rounded(perSecond: number): number {
  return perSecond < 100 ? Number(perSecond.toPrecision(3)) : Math.round(perSecond)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
