import type { Change } from '@halyard/core/storage'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { callEveryMethod } from './setup/every-storage-call.ts'
import { insert, sample, series, set } from './setup/postgres-records.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'
import { testPostgres } from './setup/test-postgres.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

interface Reading {
  readonly text: string
  /** Number of rows of the schema's tables that the statement has read. */
  readonly rows: number
}

/** Wraps a pool and records how many rows each of its statements reads, or each of its transactions. */
function countRowsRead(counted: pg.Pool, schema: string) {
  const readings: Reading[] = []
  let rowsBefore = 0
  async function connect() {
    const client = await counted.connect()
    let texts: string[] = []
    let isInTransaction = false
    async function query(statement: { text: string; values?: unknown[]; name?: string }) {
      texts.push(statement.text)
      try {
        return await client.query(statement)
      } finally {
        if (statement.text === 'begin') isInTransaction = true
        if (/^(commit|rollback)/.test(statement.text)) isInTransaction = false
        if (!isInTransaction) await record()
      }
    }
    async function record() {
      await client.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query(
        'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where schemaname = $1',
        [schema],
      )
      readings.push({ text: texts.join(';\n'), rows: rows[0].read - rowsBefore })
      rowsBefore = rows[0].read
      texts = []
    }
    return { query, release: (error?: Error) => client.release(error) }
  }
  const countedPool: PostgresPool = { connect }
  return { readings, countedPool }
}

it('statements that were planned while the tables were small read few rows when they have grown', async () => {
  const schema = uniqueSchema()
  const counted = new pg.Pool({ ...testPostgres, max: 1 })
  onTestFinished(async () => {
    await counted.end()
    await pool.query(`drop schema ${schema} cascade`)
  })
  await createPostgresStorage({ pool, schema }).migrate()
  // Statistics would make the server plan the statements again, sooner or later.
  for (const table of ['documents', 'members', 'samples', 'tasks']) {
    await pool.query(`alter table ${schema}.${table} set (autovacuum_enabled = off)`)
  }
  const { readings, countedPool } = countRowsRead(counted, schema)
  const account = createPostgresStorage({ pool: countedPool, schema }).account('acme')
  await account.commit(records(10))
  // The server keeps the plan of a statement after it was sent five times.
  for (let i = 0; i < 8; i++) await callEveryMethod(account)
  await account.commit(records(3_000))
  readings.length = 0
  await callEveryMethod(account)
  expect(readings.length).toBeGreaterThan(20)
  // A list of a scope with everything below it is planned by statistics, for each call.
  const lookUps = readings.filter(({ text }) => !text.includes('scope >='))
  expect(lookUps.filter(({ rows }) => rows > 100)).toEqual([])
}, 60_000)

/** Returns changes that add a number of records of each kind, which the calls do not return. */
function records(count: number): Change[] {
  const names = Array.from({ length: count }, (_, i) => `of-${count}-${i}`)
  return [
    ...names.map((name) => insert(name)),
    { do: 'add-keys', set, keys: names },
    { do: 'append', series, samples: names.map((id) => ({ ...sample, id })) },
    ...names.map(
      (id): Change => ({
        do: 'enqueue',
        queue: { name: 'others', scope: 'proj/p' },
        tasks: [{ id, lane: '', at: 1, due: 1, body: null }],
      }),
    ),
  ]
}
