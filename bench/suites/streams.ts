import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Result, Suite } from '../compare.ts'
import type { Footprint } from '../footprint.ts'
import type { Latency } from '../latency.ts'
import { openStreams, type StreamClients } from '../stream-clients.ts'

const suite = 'streams'
const clients = 1_000
const rounds = 30

/** Measures the memory of SDK streams, and the delay until they deliver a change. */
export const streams: Suite = {
  name: suite,
  about: `${clients} streams of 100 flags over real connections, served by one process and read by another. Memory is the memory of the serving process with the streams minus that without them, after garbage collection; the process reuses pages that it has, so that it can grow by less than the heap does. The floor is a node:http server that sends the same first event and keeps the connection open. A change is timed from the command to the serving process until the last client has received it. Target: less than 20 kB for each stream, and 200 ms.`,
  async run() {
    const bare = await measureServer('bare')
    const ours = await measureServer('ours')
    const footprint: Footprint = {
      suite,
      case: 'a stream',
      residentKB: ours.residentKB,
      heapKB: ours.heapKB,
      peer: 'bare node:http',
      peerResidentKB: bare.residentKB,
      peerHeapKB: bare.heapKB,
    }
    return [footprint, ours.change as Latency] satisfies Result[]
  },
}

async function measureServer(serverKind: 'ours' | 'bare') {
  const child = fork(new URL('../stream-server.ts', import.meta.url), [serverKind])
  try {
    const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }]
    // Code that runs for the first time allocates memory that belongs to no stream.
    const warmUpStreams = await openStreams(port, key, 200)
    warmUpStreams.close()
    const before = await memoryOf(child)
    const clientsOfStreams = await openStreams(port, key, clients)
    const after = await memoryOf(child)
    const change = serverKind === 'ours' ? await changes(child, clientsOfStreams) : undefined
    clientsOfStreams.close()
    return {
      residentKB: kilobytesPerClient(after.rss - before.rss),
      heapKB: kilobytesPerClient(after.heap - before.heap),
      change,
    }
  } finally {
    child.kill()
  }
}

function kilobytesPerClient(bytes: number): number {
  return Math.round(bytes / clients / 100) / 10
}

async function memoryOf(child: ChildProcess): Promise<{ rss: number; heap: number }> {
  child.send('memory')
  const [memory] = await once(child, 'message')
  return memory
}

async function changes(child: ChildProcess, clientsOfStreams: StreamClients): Promise<Latency> {
  const ms: number[] = []
  for (let round = 0; round < rounds; round++) {
    const all = clientsOfStreams.waitForAll('"path":"/flags/flag-7"', performance.now())
    child.send('change')
    ms.push(await all)
  }
  ms.sort((a, b) => a - b)
  const quantile = (fraction: number) => Number((ms[Math.floor(fraction * (rounds - 1))] as number).toPrecision(3))
  return {
    suite,
    case: `change until ${clients} clients have it`,
    storage: 'memory',
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    calls: rounds,
  }
}
