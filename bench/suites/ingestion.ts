import { pipeline } from 'node:stream/promises'
import { PGlite } from '@electric-sql/pglite'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Suite } from '../compare.ts'
import { environmentKeys, history, now } from '../lead-time-history.ts'

const suite = 'ingestion'
const batch = 10_000
const rounds = 3

/** Measures how fast outside systems can send data for insights. */
export const ingestion: Suite = {
  name: suite,
  about: `Items a second, ten thousand in a call, each call committed; the median of ${rounds} rounds. Each deployment has two events, which create, start and finish it. Target: 100,000 a second into memory, 20,000 into Postgres, which waits for the disk at every commit. The peer of databases is bare COPY of the same items as text, ${batch} in a transaction, into a table of the same columns with a primary key and an index by time, in the same run, round by round.`,
  async run() {
    return [...(await onMemory()), ...(await onPostgres()), ...(await onPglite())]
  },
}

type DataKind = 'deployment events' | 'lead-time samples'
const dataKinds: readonly DataKind[] = ['deployment events', 'lead-time samples']

async function onMemory(): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const dataKind of dataKinds) {
    const ourRates: number[] = []
    for (let round = 0; round <= rounds; round++)
      ourRates.push(await ingestRate(createMemoryStorage(), dataKind, 50_000))
    // The first round warms up the JIT compiler.
    results.push(comparisonOf(`${dataKind} into memory`, ourRates.slice(1), 'asked for: 100000', [100_000]))
  }
  return results
}

async function onPostgres(): Promise<Comparison[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  pool.on('error', () => {})
  const copy = async (rows: readonly string[]) => {
    const client = await pool.connect()
    try {
      await pipeline(rows, client.query(copyFrom('copy bare from stdin')))
    } finally {
      client.release()
    }
  }
  try {
    return await compareWithCopy(
      'Postgres',
      () => createPostgresStorage({ pool }),
      (sql) => pool.query(sql),
      copy,
      20_000,
    )
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function onPglite(): Promise<Comparison[]> {
  const client = await PGlite.create()
  const copy = async (rows: readonly string[]) => {
    await client.query(`copy bare from '/dev/blob'`, [], { blob: new Blob([...rows]) })
  }
  try {
    return await compareWithCopy(
      'PGlite',
      () => createPgliteStorage({ client }),
      (sql) => client.exec(sql),
      copy,
      40_000,
    )
  } finally {
    await client.close()
  }
}

async function compareWithCopy(
  name: string,
  open: () => Storage,
  run: (sql: string) => Promise<unknown>,
  copy: (rows: readonly string[]) => Promise<void>,
  count: number,
): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const dataKind of dataKinds) {
    const ourRates: number[] = []
    const copyRates: number[] = []
    for (let round = 0; round < rounds; round++) {
      ourRates.push(await ingestRate(open(), dataKind, count))
      await run('drop table if exists bare')
      await run(
        'create table bare (id text primary key, at bigint, label text, v0 float8, v1 float8, v2 float8, v3 float8, body text)',
      )
      await run('create index on bare (at, id)')
      let totalMs = 0
      for (const rows of bareRows(dataKind, count)) {
        const startTime = performance.now()
        await copy(rows)
        totalMs += performance.now() - startTime
      }
      copyRates.push((count / totalMs) * 1000)
    }
    results.push(comparisonOf(`${dataKind} into ${name}`, ourRates, 'bare COPY', copyRates))
  }
  return results
}

let accounts = 0

/** Sends items to a new account and returns the number of items a second. */
async function ingestRate(storage: Storage, dataKind: DataKind, count: number): Promise<number> {
  const engine = createEngine({ storage, account: `feed-${accounts++}`, rateLimit: false, clock: () => now })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  let totalMs = 0
  for (let start = 0; start < count; start += batch) {
    const call =
      dataKind === 'deployment events'
        ? () => engine.api.createDeploymentEvents({ body: { ...environmentKeys, events } }, as)
        : () => engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, as)
    const events = dataKind === 'deployment events' ? eventsFrom(start) : []
    const samples = dataKind === 'lead-time samples' ? samplesFrom(start) : []
    const startTime = performance.now()
    const { added } = await call()
    totalMs += performance.now() - startTime
    if (added !== batch) throw new Error(`expected ${batch} added items, got ${added}`)
  }
  // The engine listens on a connection of the pool, which has few.
  await engine.close()
  return (count / totalMs) * 1000
}

function eventsFrom(start: number) {
  return Array.from({ length: batch }, (_, i) => {
    const [deployment, isEnd] = [Math.floor((start + i) / 2), (start + i) % 2]
    return {
      applicationKey: ['api', 'shop', 'worker'][deployment % 3] as string,
      version: `1.0.${deployment}`,
      eventType: isEnd ? ('finished' as const) : ('started' as const),
      eventTime: now - 1_000_000_000 + deployment * 1000 + isEnd * 500,
    }
  })
}

function samplesFrom(start: number) {
  return Array.from(history(batch, 30), (sample, i) => ({ ...sample, externalId: `change-${start + i}` }))
}

/** Returns the items as lines in the text format of COPY, one batch at a time. */
function* bareRows(dataKind: DataKind, count: number): Generator<string[]> {
  for (let start = 0; start < count; start += batch) {
    if (dataKind === 'deployment events') {
      yield eventsFrom(start).map(({ applicationKey, version, eventType, eventTime }) => {
        const id = `${applicationKey} ${version} ${eventType} ${eventTime}`
        return `${id}\t${eventTime}\t${applicationKey}\t${eventType === 'finished' ? 1 : '\\N'}\t0\t0\t\\N\t{}\n`
      })
    } else {
      yield samplesFrom(start).map(
        ({ externalId, applicationKey, startedAt, openedAt, mergedAt, deployStartedAt, deployedAt }) =>
          `${externalId}\t${deployedAt}\t${applicationKey}\t${startedAt}\t${openedAt}\t${mergedAt}\t${deployStartedAt}\tnull\n`,
      )
    }
  }
}

function comparisonOf(name: string, ourRates: readonly number[], peer: string, theirs: readonly number[]): Comparison {
  const [opsPerSecond, peerOpsPerSecond] = [median(ourRates), median(theirs)].map(Math.round) as [number, number]
  const ratio = Math.round((opsPerSecond / peerOpsPerSecond) * 1000) / 1000
  return { suite, case: name, peer, opsPerSecond, peerOpsPerSecond, ratio }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
