import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Comparison, Result, Suite } from '../compare.ts'
import type { Latency } from '../latency.ts'
import { bundleWorker, coldStart, workers } from '../worker-starts.ts'

const suite = 'start'
const runs = 25

interface StartTimes {
  readonly importMs: number
  readonly engineMs: number
}

/** Measures how soon a process that embeds the built packages is ready. */
export const start: Suite = {
  name: suite,
  about: `Import of the built package and the first createEngine with every operation, each in ${runs} fresh processes; the floor imports only the packages that core depends on. The fastest runs are compared, because noise only adds time. A Worker is the bundle of an engine on memory storage in workerd: the processor time from the start of workerd to the first response, \`listWebhooks\`, less that of a Worker without an engine.`,
  async run() {
    const ours: StartTimes[] = []
    const floor: StartTimes[] = []
    for (let run = 0; run < runs; run++) {
      ours.push(measureStart('core'))
      floor.push(measureStart('dependencies'))
    }
    const imports = ours.map(({ importMs }) => importMs)
    const results: Result[] = [
      comparisonOf('import of core', imports, {
        name: 'floor: its dependencies alone',
        ms: floor.map((run) => run.importMs),
      }),
      latencyOf('import of core', imports),
      latencyOf(
        'first createEngine, all operations',
        ours.map(({ engineMs }) => engineMs),
      ),
    ]
    return [...results, ...(await workerStarts())]
  },
}

/** Measures the processor time that an engine adds to the start of a Worker. */
async function workerStarts(): Promise<Latency[]> {
  const floor = await startTimes(workers.empty)
  const added = async (source: string) => (await startTimes(source)).map((ms) => ms - Math.min(...floor))
  const storage = 'workerd, processor time'
  return [
    latencyOf('cold start of a Worker, the operations of the specification', await added(workers.twenty), storage),
    latencyOf('cold start of a Worker, all operations', await added(workers.all), storage),
  ]
}

async function startTimes(source: string): Promise<number[]> {
  const code = await bundleWorker(source)
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await coldStart(code))
  return times
}

function measureStart(subject: 'core' | 'dependencies'): StartTimes {
  const script = fileURLToPath(new URL('../start-process.mjs', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script, subject], { encoding: 'utf8' }))
}

function comparisonOf(
  name: string,
  ours: readonly number[],
  peer: { name: string; ms: readonly number[] },
): Comparison {
  const [opsPerSecond, peerOpsPerSecond] = [ours, peer.ms].map((ms) => 1000 / Math.min(...ms)) as [number, number]
  return {
    suite,
    case: name,
    peer: peer.name,
    opsPerSecond: Math.round(opsPerSecond),
    peerOpsPerSecond: Math.round(peerOpsPerSecond),
    ratio: Math.round((opsPerSecond / peerOpsPerSecond) * 1000) / 1000,
  }
}

function latencyOf(name: string, ms: readonly number[], storage = 'memory, a fresh process'): Latency {
  const sorted = [...ms].sort((a, b) => a - b)
  const quantile = (fraction: number) =>
    Number((sorted[Math.floor((sorted.length - 1) * fraction)] as number).toPrecision(3))
  return {
    suite,
    case: name,
    storage,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    calls: ms.length,
  }
}
