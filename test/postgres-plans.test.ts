import type { AccountStorage, Change } from '@halyard/core/storage'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { callEveryMethod } from './setup/every-storage-call.ts'
import { ownDatabase } from './setup/own-database.ts'
import { at, insert, sample, series, set } from './setup/postgres-records.ts'

const queue = { name: 'several', scope: 'proj/p' }

interface Reading {
  readonly text: string
  /** Number of pages of the schema's tables and indexes that the statement has read. */
  readonly pages: number
}

/** Wraps a pool and records how many pages each of its statements reads, or each of its transactions. */
function countPagesRead(counted: pg.Pool) {
  const readings: Reading[] = []
  let pagesBefore = 0
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
        `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::int as read
        from pg_statio_user_tables`,
      )
      readings.push({ text: texts.join(';\n'), pages: rows[0].read - pagesBefore })
      pagesBefore = rows[0].read
      texts = []
    }
    return { query, release: (error?: Error) => client.release(error) }
  }
  const countedPool: PostgresPool = { connect }
  return { readings, countedPool }
}

it('statements that were planned while the tables were small read few rows when they have grown', async () => {
  // This test needs a database of its own: other tests analyze the tables of their database, and then the server plans
  // its statements again.
  const database = await ownDatabase()
  const counted = new pg.Pool({ connectionString: database.url, max: 1 })
  onTestFinished(async () => {
    await counted.end()
    await database.drop()
  })
  const { pool } = database
  await createPostgresStorage({ pool }).migrate()
  // Automatic statistics would have the same effect sooner or later.
  for (const table of ['documents', 'members', 'samples', 'tasks']) {
    await pool.query(`alter table halyard.${table} set (autovacuum_enabled = off)`)
  }
  const { readings, countedPool } = countPagesRead(counted)
  const account = createPostgresStorage({ pool: countedPool }).account('acme')
  await account.commit(records(10))
  /** Calls every method twice, and returns the readings of the second calls. */
  async function readingsOfCalls(): Promise<readonly Reading[]> {
    // The first calls read pages of indexes that the server then keeps.
    await callWithFewAndMany(account)
    readings.length = 0
    await callWithFewAndMany(account)
    return [...readings]
  }
  // The server keeps the plan of a statement after it was sent five times.
  for (let i = 0; i < 4; i++) await readingsOfCalls()
  const before = await readingsOfCalls()
  await account.commit(records(3_000))
  const after = await readingsOfCalls()
  expect(after.length).toBe(before.length)
  expect(after.length).toBeGreaterThan(40)
  // For a list of a scope with everything under it, the server makes a plan from its statistics at each call. So it may
  // read more pages here.
  const slower = after.filter(({ text, pages }, i) => !text.includes('scope >=') && pages > 3 * before[i]!.pages + 20)
  expect(slower).toEqual([])
}, 60_000)

/** Calls every method, and commits changes of several documents and tasks of each kind. */
async function callWithFewAndMany(account: AccountStorage): Promise<void> {
  await callEveryMethod(account)
  for (const count of [2, 3, 8, 9]) await changeSeveral(account, count)
}

/** Changes documents and tasks in a scope and in a queue that also contain all other documents and tasks. */
async function changeSeveral(account: AccountStorage, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i)
  const ids = (name: string) => numbers.map((i) => at(`${name}-${i}`))
  const tasks = numbers.map((i) => ({ id: `t${i}`, lane: `l${i}`, at: 0, due: 0, body: null }))
  await account.commit([
    ...['kept', 'replaced', 'removed', 'discarded'].flatMap((name) => ids(name).map(({ key }) => insert(key))),
    { do: 'enqueue', queue, tasks },
  ])
  await account.getMany(ids('kept'))
  await account.take({ name: queue.name, now: 1, until: 2, limit: count })
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
  // A batch that deletes what it has inserted takes several statements. It first locks the documents that it expects.
  await account.commit([
    ...ids('kept').map((id): Change => ({ do: 'expect', id, version: 1 })),
    insert('passing', 'proj/p:none'),
    { do: 'clear', scope: 'proj/p:none' },
  ])
  // A refused batch looks for the change whose precondition is false.
  const outcome = await account.commit(ids('kept').map((id): Change => ({ do: 'expect', id, version: 2 })))
  expect(outcome.outcome).toBe('conflict')
  await account.commit([
    ...['kept', 'replaced'].flatMap(ids).map((id): Change => ({ do: 'discard', id })),
    ...tasks.map(({ id }): Change => ({ do: 'finish', queue, task: id })),
  ])
  await account.commit([
    { do: 'append', series, samples: numbers.map((i) => ({ ...sample, id: `several-${i}` })) },
    { do: 'add-keys', set, keys: numbers.map((i) => `several-${i}`) },
  ])
  await account.hasKey(set, 'several-0')
  await account.findKeys(set, ['several-0', 'several-1'])
  await account.findSamples?.(series, ['several-0', 'several-1'])
  await account.commit([
    { do: 'delete-samples', series, ids: numbers.map((i) => `several-${i}`) },
    { do: 'remove-keys', set, keys: numbers.map((i) => `several-${i}`) },
  ])
}

/** Returns changes that add a number of records of each kind, which the calls do not return. */
function records(count: number): Change[] {
  const names = Array.from({ length: count }, (_, i) => `of-${count}-${i}`)
  return [
    ...names.map((name) => insert(name)),
    { do: 'add-keys', set, keys: names },
    { do: 'append', series, samples: names.map((id) => ({ ...sample, id })) },
    ...names.map((id): Change => ({ do: 'enqueue', queue, tasks: [{ id, lane: id, at: 1, due: 100, body: null }] })),
  ]
}
