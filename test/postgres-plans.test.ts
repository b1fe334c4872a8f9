import type { AccountStorage, Change } from '@halyard/core/storage'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { callEveryMethod } from './setup/every-storage-call.ts'
import { at, insert, sample, series, set } from './setup/postgres-records.ts'
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
  for (let i = 0; i < 8; i++) await callWithFewAndMany(account)
  await account.commit(records(3_000))
  readings.length = 0
  await callWithFewAndMany(account)
  expect(readings.length).toBeGreaterThan(20)
  // A list of a scope with everything below it is planned by statistics, for each call.
  const lookUps = readings.filter(({ text }) => !text.includes('scope >='))
  expect(lookUps.filter(({ rows }) => rows > 100)).toEqual([])
}, 60_000)

/** Calls every method, and commits changes of several documents and tasks of each kind. */
async function callWithFewAndMany(account: AccountStorage): Promise<void> {
  await callEveryMethod(account)
  for (const count of [2, 3, 8, 9]) await changeSeveral(account, count)
}

async function changeSeveral(account: AccountStorage, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i)
  const queue = { name: 'several', scope: 'several' }
  const ids = (name: string) => numbers.map((i) => at(`${name}-${i}`, 'several'))
  const tasks = numbers.map((i) => ({ id: `t${i}`, lane: `l${i}`, at: i, due: 0, body: null }))
  await account.commit([
    ...['kept', 'replaced', 'removed', 'discarded'].flatMap((name) =>
      ids(name).map(({ key }) => insert(key, 'several')),
    ),
    { do: 'enqueue', queue, tasks },
  ])
  await account.getMany(ids('kept'))
  await account.take({ name: 'several', now: 1, until: 2, limit: count })
  await account.commit([
    ...ids('kept').map((id): Change => ({ do: 'expect', id, version: 1 })),
    ...ids('replaced').map((id): Change => ({ do: 'replace', id, version: 1, body: 2, fields: {} })),
    ...ids('removed').map((id): Change => ({ do: 'remove', id, version: 1 })),
    ...ids('discarded').map((id): Change => ({ do: 'discard', id })),
    ...numbers.map((i): Change => {
      if (i % 2 === 0) return { do: 'finish', queue, task: `t${i}`, takes: 1 }
      return { do: 'postpone', queue, task: `t${i}`, takes: 1, due: 9, body: null }
    }),
  ])
  // A refused batch looks for the change whose precondition is false.
  const outcome = await account.commit(ids('kept').map((id): Change => ({ do: 'expect', id, version: 2 })))
  expect(outcome.outcome).toBe('conflict')
  await account.commit([{ do: 'clear', scope: 'several' }])
}

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
