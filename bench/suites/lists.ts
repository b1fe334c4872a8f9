import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Result, Suite } from '../compare.ts'
import { copiesOf } from '../copied-flags.ts'
import type { Latency } from '../latency.ts'

const suite = 'lists'
const few = 1_000
const many = 100_000
const pageSize = 20

/** Number of calls of each query, of which the median counts. */
const calls = 5

/** Queries of the list of flags, by what they ask for: each order, and filters by fields, by use and by status. */
const queries: Readonly<Record<string, object>> = {
  'by name': {},
  'by key': { sort: 'key' },
  'by key, descending': { sort: '-key' },
  'by time of creation': { sort: '-creationDate' },
  'by maintainer': { sort: 'maintainerId' },
  'by type': { sort: 'type' },
  'by tags': { sort: 'tags' },
  'with a text': { filter: 'query:f77' },
  'with a key': { filter: 'key:f77' },
  'with a tag': { filter: 'tags:shop' },
  'of a type': { filter: 'type:temporary' },
  'in a state': { filter: 'state:live' },
  'of client-side SDKs': { filter: 'sdkAvailability:client' },
  'created since a time': { filter: 'creationDate:{"after":1}' },
  'without experiment': { filter: 'hasExperiment:false' },
  'changed last': { sort: '-targetingModifiedDate', env: 'production' },
  'with a status': { filter: 'filterEnv:production,status:new' },
}

/** Measures how the size of an account affects each list of flags. */
export const lists: Suite = {
  name: suite,
  about: `The first and the last page of ${pageSize} flags in process, without caches, in an account of 100,000 flags; the peer is the same page in an account of 1,000. Medians of ${calls} calls in alternation. Target: a ratio of at least 0.33. The delays of the event loop are those of the calls on memory with 100,000 flags. Target: 10 ms.`,
  async run() {
    return [...(await onMemory()), ...(await onPostgres())]
  },
}

async function onMemory(): Promise<Result[]> {
  return measure('memory', createMemoryStorage())
}

async function onPostgres(): Promise<Result[]> {
  const server = await startPostgres()
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  pool.on('error', () => {})
  try {
    return await measure('Postgres', createPostgresStorage({ pool }), () => pool.query('vacuum analyze'))
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function measure(name: string, storage: Storage, prepare: () => Promise<unknown> = async () => {}) {
  const small = await fillAccount(storage, 'small', few)
  const large = await fillAccount(storage, 'large', many)
  await prepare()
  const results: Result[] = []
  const delays: Latency[] = []
  for (const [title, query] of Object.entries(queries)) {
    process.stderr.write(`  ... ${title}, ${name}\n`)
    const pages = { first: 0, last: (await large.count(query)) - pageSize }
    const smallPages = { first: 0, last: (await small.count(query)) - pageSize }
    for (const page of ['first', 'last'] as const) {
      const ours = () => large.list(query, Math.max(0, pages[page]))
      const peer = () => small.list(query, Math.max(0, smallPages[page]))
      results.push(await compareMedians(`${title}, ${page} page, ${name}`, ours, peer))
      if (name === 'memory') delays.push(await longestDelay(`${title}, ${page} page`, ours))
    }
  }
  await Promise.all([small.close(), large.close()])
  return [...results, ...delays]
}

async function fillAccount(storage: Storage, account: string, flags: number) {
  const engine = createEngine({ storage, account, rateLimit: false, cache: false })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'Flag', tags: ['shop'] } }, as)
  const body = [{ op: 'replace' as const, path: '/environments/production/on', value: true }]
  await engine.api.patchFlag({ projectKey: 'web', flagKey: 'f', body }, as)
  for await (const batch of copiesOf(storage, account, flags)) await storage.account(account).commit([batch])
  const list = (query: object, offset: number) =>
    engine.api.listFlags({ projectKey: 'web', ...query, limit: pageSize, offset }, as)
  return {
    list,
    count: async (query: object) => (await list(query, 0)).totalCount,
    close: () => engine.close(),
  }
}

async function compareMedians(
  title: string,
  ours: () => Promise<unknown>,
  peer: () => Promise<unknown>,
): Promise<Comparison> {
  const [oursMs, peerMs]: [number[], number[]] = [[], []]
  for (let call = 0; call <= calls; call++) {
    const times = [await timeOf(ours), await timeOf(peer)] as const
    // The first call may build an ordered structure.
    if (call === 0) continue
    oursMs.push(times[0])
    peerMs.push(times[1])
  }
  const [opsPerSecond, peerOpsPerSecond] = [1_000 / median(oursMs), 1_000 / median(peerMs)]
  return {
    suite,
    case: title,
    peer: `${few} flags`,
    opsPerSecond: Math.round(opsPerSecond),
    peerOpsPerSecond: Math.round(peerOpsPerSecond),
    ratio: Math.round((opsPerSecond / peerOpsPerSecond) * 1_000) / 1_000,
  }
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await call()
  return performance.now() - start
}

/** Returns the longest time for which a call keeps the event loop from other work, ms. */
async function longestDelay(title: string, call: () => Promise<unknown>): Promise<Latency> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const monitor = monitorEventLoopDelay({ resolution: 1 })
    monitor.enable()
    await new Promise((resolve) => setTimeout(resolve, 5))
    monitor.reset()
    await call()
    await new Promise((resolve) => setTimeout(resolve, 5))
    monitor.disable()
    times.push(monitor.max / 1e6)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const digits = (ms: number | undefined) => Number((ms ?? 0).toPrecision(3))
  return {
    suite,
    case: `longest delay of the event loop, ${title}`,
    storage: 'memory',
    p50Ms: digits(median(sorted)),
    p99Ms: digits(sorted.at(-1)),
    calls,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}
