import { PGlite } from '@electric-sql/pglite'
import type { Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import type { Comparison, Suite } from '../compare.ts'
import { compareEach, createLeadTimeFixture, rate } from '../lead-time-fixture.ts'
import { duckDb, insertSql, percentileSql, type QueryName, rowsAsJson, tableSql } from '../lead-time-peers.ts'

const million = 1_000_000
const days = 30
const suite = 'lead-time'

/** Measures charts of thirty days by four stages, with percentiles, over a million samples. */
export const leadTime: Suite = {
  name: suite,
  about:
    'A chart of 30 days with p50 to p99 over 1,000,000 samples: getLeadTimeChart in process, with summaries of past days unless stated otherwise: in memory the engine writes them itself, elsewhere `compact()` does; by stage, by application, and by stage in 29 rolling windows that do not end on a full hour. Peers compute the same percentiles of the same samples exactly: DuckDB in process on one thread, and percentile_cont over date_bin in the same database.',
  async run() {
    return [...(await onMemory()), ...(await onPostgres()), ...(await onPglite())]
  },
}

async function onMemory(): Promise<Comparison[]> {
  const duckDbPeer = await duckDb(million, days)
  const peer = { name: 'DuckDB, one thread', run: duckDbPeer.query }
  const unsummarized = await createLeadTimeFixture(withoutSummaries(createMemoryStorage()), million, days)
  const uncompacted = await compareEach(suite, 'memory, not compacted', unsummarized, peer)
  const fixture = await createLeadTimeFixture(createMemoryStorage(), million, days)
  await untilSummarized(fixture.engine)
  const compacted = await compareEach(suite, 'memory', fixture, peer)
  duckDbPeer.close()
  const long = await createLeadTimeFixture(createMemoryStorage(), 4 * million, 4 * days)
  await untilSummarized(long.engine)
  const sameDays = { name: 'the same 30 days of 1,000,000', run: fixture.chart }
  const history = await compareEach(suite, 'memory, 4,000,000 samples of 120 days', long, sameDays, ['by stage'])
  return [
    ...uncompacted,
    ...compacted,
    ...history,
    rate(suite, 'samples into memory', fixture.perSecond, 'asked for: 100000', 100_000),
  ]
}

/** Returns the storage in the form of one that several processes share, so that only `compact` writes summaries. */
function withoutSummaries(storage: Storage): Storage {
  const account = (name: string) => {
    const { immediate: _, ...shared } = storage.account(name)
    return shared
  }
  return { ...storage, account }
}

/** Waits until the engine has summarized all days that have ended. */
async function untilSummarized(engine: Engine): Promise<void> {
  while ((await engine.compact({ limit: 0 })).more) await new Promise((resolve) => setTimeout(resolve, 100))
}

async function onPostgres(): Promise<Comparison[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  try {
    const fixture = await createLeadTimeFixture(createPostgresStorage({ pool }), million, days)
    await pool.query(tableSql)
    const startTime = performance.now()
    for (const rows of rowsAsJson(million, days)) await pool.query(insertSql, [rows])
    const bare = Math.round((million / (performance.now() - startTime)) * 1000)
    await pool.query('analyze')
    const peer = { name: 'percentile_cont in Postgres', run: (name: QueryName) => pool.query(percentileSql(name)) }
    const uncompacted = await compareEach(suite, 'Postgres, not compacted', fixture, peer, ['by stage'])
    await fixture.engine.compact()
    const charts = await compareEach(suite, 'Postgres', fixture, peer)
    const ingestion = rate(suite, 'samples into Postgres', fixture.perSecond, 'bare inserts of ten thousand rows', bare)
    return [...uncompacted, ...charts, ingestion]
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function onPglite(): Promise<Comparison[]> {
  const client = await PGlite.create()
  try {
    const fixture = await createLeadTimeFixture(createPgliteStorage({ client }), million, days)
    await fixture.engine.compact()
    await client.exec(tableSql)
    for (const rows of rowsAsJson(million, days)) await client.query(insertSql, [rows])
    const run = (name: QueryName) => client.query(percentileSql(name))
    return await compareEach(suite, 'PGlite', fixture, { name: 'percentile_cont in PGlite', run })
  } finally {
    await client.close()
  }
}
