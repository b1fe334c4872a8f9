import { DuckDBInstance } from '@duckdb/node-api'
import { PGlite } from '@electric-sql/pglite'
import { createEngine, type Engine, type Storage } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'
import { addHistory, day, history, now, place } from '../lead-time-history.ts'

const million = 1_000_000
const days = 30
const suite = 'lead-time'
const stages = ['coding', 'review', 'wait', 'deploy']
const shares = [0.5, 0.75, 0.9, 0.95, 0.99]

/** Thirty days by four stages, with percentiles, over a million samples. */
export const leadTime: Suite = {
  name: suite,
  about:
    'A chart of 30 days by stage with p50 to p99 over 1,000,000 samples: getLeadTimeChart in process, after `compact()` unless said otherwise. Peers compute the same percentiles of the same samples exactly: DuckDB in process on one thread, and percentile_cont over date_bin in the same database.',
  async run() {
    return [...(await onMemory()), ...(await onPostgres()), ...(await onPglite())]
  },
}

interface World {
  readonly engine: Engine
  readonly chart: () => Promise<unknown>
  readonly perSecond: number
}

async function worldOn(storage: Storage, count: number, spread: number): Promise<World> {
  const engine = createEngine({ storage, rateLimit: false, clock: () => now })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: token })
  const perSecond = await addHistory(engine, { token }, history(count, spread))
  const question = { ...place, from: now - days * day, to: now, bucketType: 'day', expand: 'percentiles' } as const
  return { engine, perSecond, chart: () => engine.api.getLeadTimeChart(question, { as: token }) }
}

async function onMemory(): Promise<Comparison[]> {
  const world = await worldOn(createMemoryStorage(), million, days)
  const duck = await duckDb()
  const peer = { name: 'DuckDB, one thread', run: duck.query }
  const raw = await compare({ suite, case: 'memory, not compacted', ours: world.chart, peer, slow: true })
  await world.engine.compact()
  const compacted = await compare({ suite, case: 'memory', ours: world.chart, peer, slow: true })
  duck.close()
  const long = await worldOn(createMemoryStorage(), 4 * million, 4 * days)
  await long.engine.compact()
  const history = await compare({
    suite,
    case: 'memory, 4,000,000 samples of history over 120 days',
    ours: long.chart,
    peer: { name: 'the same 30 days of 1,000,000', run: world.chart },
  })
  return [raw, compacted, history, rate('samples into memory', world.perSecond, 'asked for: 100000', 100_000)]
}

async function onPostgres(): Promise<Comparison[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  try {
    const world = await worldOn(createPostgresStorage({ pool }), million, days)
    await world.engine.compact()
    await pool.query(tableSql)
    const begin = performance.now()
    for (const rows of inRows())
      await pool.query(
        `insert into changes select * from json_to_recordset($1) as r(deployed_at bigint, coding bigint, review bigint, wait bigint, deploy bigint)`,
        [rows],
      )
    const bare = Math.round((million / (performance.now() - begin)) * 1000)
    await pool.query('analyze changes')
    const peer = { name: 'percentile_cont in Postgres', run: () => pool.query(percentileSql) }
    const chart = await compare({ suite, case: 'Postgres', ours: world.chart, peer, slow: true })
    return [chart, rate('samples into Postgres', world.perSecond, 'bare inserts of ten thousand rows', bare)]
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function onPglite(): Promise<Comparison[]> {
  const client = await PGlite.create()
  try {
    const world = await worldOn(createPgliteStorage({ client }), million, days)
    await world.engine.compact()
    await client.exec(tableSql)
    for (const rows of inRows())
      await client.query(
        `insert into changes select * from json_to_recordset($1) as r(deployed_at bigint, coding bigint, review bigint, wait bigint, deploy bigint)`,
        [rows],
      )
    const peer = { name: 'percentile_cont in PGlite', run: () => client.query(percentileSql) }
    return [await compare({ suite, case: 'PGlite', ours: world.chart, peer, slow: true })]
  } finally {
    await client.close()
  }
}

function rate(name: string, perSecond: number, peer: string, peerPerSecond: number): Comparison {
  const ratio = Math.round((perSecond / peerPerSecond) * 1000) / 1000
  return { suite, case: name, peer, opsPerSecond: perSecond, peerOpsPerSecond: peerPerSecond, ratio }
}

const tableSql = 'create table changes (deployed_at bigint, coding bigint, review bigint, wait bigint, deploy bigint)'

const percentileSql = `select date_bin('1 day', to_timestamp(deployed_at / 1000.0), timestamptz '2000-01-01 00:00:00+00') as bucket,
  ${stages.map((stage) => `percentile_cont(array[${shares}]) within group (order by ${stage}) as ${stage}`).join(', ')}
  from changes group by 1 order by 1`

/** The samples as rows of durations, ten thousand as one JSON text. */
function* inRows(): Generator<string> {
  let rows: object[] = []
  for (const { startedAt, openedAt, mergedAt, deployStartedAt, deployedAt } of history(million, days)) {
    rows.push({
      deployed_at: deployedAt,
      coding: openedAt - startedAt,
      review: mergedAt - openedAt,
      wait: deployStartedAt - mergedAt,
      deploy: deployedAt - deployStartedAt,
    })
    if (rows.length === 10_000) {
      yield JSON.stringify(rows)
      rows = []
    }
  }
}

async function duckDb() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(tableSql)
  const appender = await connection.createAppender('changes')
  for (const rows of inRows()) {
    for (const row of JSON.parse(rows) as Record<string, number>[]) {
      for (const column of ['deployed_at', ...stages]) appender.appendBigInt(BigInt(row[column] as number))
      appender.endRow()
    }
  }
  appender.closeSync()
  const sql = `select deployed_at // ${day} as bucket, ${stages.map((stage) => `quantile_cont(${stage}, [${shares}])`).join(', ')} from changes group by 1 order by 1`
  return {
    query: async () => (await connection.runAndReadAll(sql)).getRows(),
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
