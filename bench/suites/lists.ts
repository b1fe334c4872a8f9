import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { type As, createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Result, Suite } from '../compare.ts'
import { copiesOf, flagF, memberM, segmentS } from '../copied-documents.ts'
import type { Latency } from '../latency.ts'

const suite = 'lists'
const few = 1_000
const pageSize = 20

/** Number of calls of each query, of which the median counts. */
const calls = 9

/** Size of the cache of documents in which the rows of all lists fit, bytes. */
const cacheBytes = 512 * 1024 * 1024

/**
 * Queries of lists, by the order or the filter that they request: each order, and filters by fields, by use and by
 * status.
 */
type Queries = Readonly<Record<string, object>>

/** Name of the query whose rows are made of several collections. */
const withStatus = 'with a status'

const flagQueries: Queries = {
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
  [withStatus]: { filter: 'filterEnv:production,status:new' },
}

const segmentQueries: Queries = {
  'by name': {},
  'by time of creation': { sort: '-creationDate' },
  'by time of change': { sort: '-lastModified' },
  'with a text': { filter: 'query equals "s77"' },
  'with a tag': { filter: 'tags anyOf ["shop"]' },
}

const memberQueries: Queries = {
  'by email': {},
  'by first name': { sort: 'firstName' },
  'by time of creation': { sort: '-creationDate' },
  'with a text': { filter: 'query:m77' },
  'with a role': { filter: 'role:reader' },
}

/** A list, and the number of its resources in the large account. */
interface MeasuredList {
  readonly noun: string
  readonly many: number
  readonly queries: Queries
  readonly operation: 'listFlags' | 'listSegments' | 'listMembers'
}

const flagList: MeasuredList = { noun: 'flags', many: 100_000, queries: flagQueries, operation: 'listFlags' }

const measuredLists: readonly MeasuredList[] = [
  flagList,
  { noun: 'segments', many: 10_000, queries: segmentQueries, operation: 'listSegments' },
  { noun: 'members', many: 40_000, queries: memberQueries, operation: 'listMembers' },
]

/** Measures how the size of an account affects each list of flags, segments and members. */
export const lists: Suite = {
  name: suite,
  about: `The first and the last page of ${pageSize} resources in process, in an account of 100,000 flags, 10,000 segments and 40,000 members; the peer is the same page in an account of 1,000 of each. Medians of ${calls} calls in alternation. Target: a ratio of at least 0.33. Without caches on PGlite and Postgres; on memory, and with copied rows, the engine caches documents, the lists of the same resources have been read before, and one of the resources is changed before each call. The delays of the event loop are those of the calls on memory in the large account. Target: 10 ms.`,
  async run() {
    return [...(await onMemory()), ...(await onPGlite()), ...(await onPostgres())]
  },
}

async function onMemory(): Promise<Result[]> {
  return measure('memory', createMemoryStorage())
}

async function onPGlite(): Promise<Result[]> {
  const client = new PGlite()
  try {
    return await measure('PGlite', createPgliteStorage({ client }), () => client.exec('vacuum analyze'))
  } finally {
    await client.close()
  }
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
  const small = await fillAccount(storage, 'small', () => few)
  const large = await fillAccount(storage, 'large', ({ many }) => many)
  await prepare()
  const results = name === 'memory' ? [] : await measureLists(name, small.uncached, large.uncached)
  for (const account of [small, large]) await copyRows(account.cached, name)
  const title = name === 'memory' ? name : `${name}, copied rows`
  results.push(...(await measureLists(title, small.cached, large.cached)))
  await Promise.all([small.close(), large.close()])
  return results
}

/** Lists of one account as one engine reads them. */
interface AccountLists {
  list(list: MeasuredList, query: object, offset: number): Promise<{ readonly totalCount: number }>
  /** Changes one of the listed resources. */
  change(list: MeasuredList): Promise<unknown>
  readonly engine: Engine
}

async function measureLists(name: string, small: AccountLists, large: AccountLists): Promise<Result[]> {
  const results: Result[] = []
  const delays: Latency[] = []
  for (const measured of measuredLists) {
    for (const [title, query] of Object.entries(measured.queries)) {
      process.stderr.write(`  ... ${measured.noun} ${title}, ${name}\n`)
      const lastPage = async ({ list }: AccountLists) => (await list(measured, query, 0)).totalCount - pageSize
      const offsets = { first: [0, 0], last: [await lastPage(large), await lastPage(small)] } as const
      for (const page of ['first', 'last'] as const) {
        const [offset, smallOffset] = offsets[page]
        const isCopied = name === 'memory' || name.endsWith('copied rows')
        const pageOf = ({ list, change }: AccountLists, first: number) => ({
          prepare: async () => {
            if (isCopied) await change(measured)
            // Between two requests, a server lets other work run, such as the making of a copy.
            await new Promise((resolve) => setImmediate(resolve))
          },
          call: () => list(measured, query, Math.max(0, first)),
        })
        const ours = pageOf(large, offset)
        const caseTitle = `${measured.noun} ${title}, ${page} page`
        results.push(await compareMedians(`${caseTitle}, ${name}`, ours, pageOf(small, smallOffset)))
        if (name === 'memory') delays.push(await longestDelay(caseTitle, ours.call))
      }
    }
  }
  return [...results, ...delays]
}

/**
 * Reads lists until the rows of all resources are in memory, and those of flags with their status. Memory storage
 * contains the others.
 */
async function copyRows(account: AccountLists, name: string): Promise<void> {
  if (name !== 'memory') for (const list of measuredLists) await copyRowsOf(account, list)
  await keepStatuses(account)
}

async function copyRowsOf({ list, engine }: AccountLists, measured: MeasuredList): Promise<void> {
  const { totalCount } = await list(measured, {}, 0)
  const sizeBefore = engine.cacheStats().documents.size
  for (let offset = 1; engine.cacheStats().documents.size < sizeBefore + totalCount * 500; offset++)
    await list(measured, {}, offset)
}

/**
 * Reads the list by status until it takes a third of the time that it takes without rows in memory. The engine makes
 * the rows after the third list, when no other list keeps the storage busy.
 */
async function keepStatuses({ list, change }: AccountLists): Promise<void> {
  const timeAt = (offset: number) =>
    timeOf({
      prepare: () => change(flagList),
      call: () => list(flagList, flagQueries[withStatus] as object, offset),
    })
  const without = Math.min(await timeAt(0), await timeAt(1), await timeAt(2))
  for (let offset = 3; ; offset++) {
    await delay(4 * without)
    if ((await timeAt(offset)) < without / 3) return
  }
}

/** Creates an account with these numbers of resources: an engine creates one of each, and their records are copied. */
async function fillAccount(storage: Storage, account: string, countOf: (list: MeasuredList) => number) {
  const engine = createEngine({ storage, account, rateLimit: false, cache: false })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  const memberId = await createOriginals(engine, as)
  const resources = { listFlags: flagF, listSegments: segmentS, listMembers: memberM(memberId) }
  for (const list of measuredLists) {
    let copied = 1
    for await (const batch of copiesOf(storage, account, resources[list.operation], countOf(list))) {
      await storage.account(account).commit([batch])
      copied += 1_000
      if (copied % 10_000 === 1) process.stderr.write(`  ... ${copied - 1} ${list.noun} copied\n`)
    }
  }
  const cachingEngine = createEngine({ storage, account, rateLimit: false, cache: { documents: cacheBytes } })
  return {
    uncached: listsOf(engine, as, memberId),
    cached: listsOf(cachingEngine, as, memberId),
    close: () => Promise.all([engine.close(), cachingEngine.close()]),
  }
}

function listsOf(engine: Engine, as: { readonly as: As }, memberId: string): AccountLists {
  const { api } = engine
  const inEnvironment = { projectKey: 'web', environmentKey: 'production' }
  let changeCount = 0
  return {
    engine,
    list({ operation }, query, offset) {
      const page = { ...inEnvironment, ...query, limit: pageSize, offset }
      if (operation === 'listFlags') return api.listFlags(page, as)
      return operation === 'listSegments' ? api.listSegments(page, as) : api.listMembers(page, as)
    },
    change({ operation }) {
      const value = `changed ${changeCount++} times`
      const body = [{ op: 'add' as const, path: '/description', value }]
      if (operation === 'listFlags') return api.patchFlag({ projectKey: 'web', flagKey: 'f', body }, as)
      if (operation === 'listSegments') return api.patchSegment({ ...inEnvironment, segmentKey: 's', body }, as)
      return api.patchMember({ id: memberId, body: [{ op: 'replace', path: '/firstName', value }] }, as)
    },
  }
}

/** Creates a flag, a segment and a member; returns the id of the member. */
async function createOriginals({ api }: Engine, as: { readonly as: As }): Promise<string> {
  await api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'Flag', tags: ['shop'] } }, as)
  const body = [{ op: 'replace' as const, path: '/environments/production/on', value: true }]
  await api.patchFlag({ projectKey: 'web', flagKey: 'f', body }, as)
  const segment = { key: 's', name: 'Segment', tags: ['shop'] }
  await api.createSegment({ projectKey: 'web', environmentKey: 'production', body: segment }, as)
  const member = { email: 'm@example.com', firstName: 'Ann', lastName: 'Lee', role: 'reader' as const }
  const { items } = await api.createMembers({ body: [member] }, as)
  return items[0]?._id as string
}

async function compareMedians(title: string, ours: MeasuredCall, peer: MeasuredCall): Promise<Comparison> {
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
    peer: `${few} of them`,
    opsPerSecond: Math.round(opsPerSecond),
    peerOpsPerSecond: Math.round(peerOpsPerSecond),
    ratio: Math.round((opsPerSecond / peerOpsPerSecond) * 1_000) / 1_000,
  }
}

/** A call, and the work before it that is not measured. */
interface MeasuredCall {
  prepare(): Promise<unknown>
  call(): Promise<unknown>
}

async function timeOf({ prepare, call }: MeasuredCall): Promise<number> {
  await prepare()
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
