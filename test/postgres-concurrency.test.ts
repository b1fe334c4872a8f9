import type { Change } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ownSchema } from './setup/own-schema.ts'
import { at, insert } from './setup/postgres-records.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'
import { recordPool } from './setup/recorded-pool.ts'
import { testPostgres } from './setup/test-postgres.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

describe('quota leases of past windows', () => {
  const minute = 60_000
  const leaseQuery = (window: number, key: string) => ({
    key,
    window: window * minute,
    until: (window + 1) * minute,
    limit: 10,
    requested: 1,
  })

  it('are deleted two windows later, when a new window begins', async () => {
    const schema = ownSchema(pool)
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    const account = storage.account('acme')
    for (const window of [0, 1, 2, 3, 4]) {
      for (const key of ['a', 'b']) await account.reserve?.(leaseQuery(window, key))
    }
    await storage.account('other').reserve?.(leaseQuery(0, 'a'))
    const { rows } = await pool.query(
      `select account, started / ${minute} as window, key from ${schema}.shares order by account, started, key`,
    )
    expect(rows.map(({ account, window, key }) => [account, Number(window), key])).toEqual([
      ['acme', 3, 'a'],
      ['acme', 3, 'b'],
      ['acme', 4, 'a'],
      ['acme', 4, 'b'],
      ['other', 0, 'a'],
    ])
  })

  it('are deleted by concurrent processes that do not wait for each other', async () => {
    const schema = ownSchema(pool)
    const storages = Array.from({ length: 4 }, () => createPostgresStorage({ pool, schema }))
    await storages[0]?.migrate()
    for (let window = 0; window < 20; window++) {
      const leases = await Promise.all(
        storages.flatMap((storage) =>
          Array.from({ length: 8 }, (_, key) => storage.account('acme').reserve?.(leaseQuery(window, `${key}`))),
        ),
      )
      expect(leases.map((storage) => storage?.granted)).toEqual(leases.map(() => 1))
    }
  })
})

describe('concurrent batches', () => {
  /** Resolves when `count` statements on the server wait for a lock. */
  async function waitForLockWaiters(count: number): Promise<void> {
    for (;;) {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
        [schema],
      )
      if (rows.length >= count) return
    }
  }

  const schema = uniqueSchema()
  const { failures, recordedPool } = recordPool(pool)
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')
  beforeAll(() => createPostgresStorage({ pool, schema }).migrate())
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  it('only one of two batches commits when each expects the document that the other replaces', async () => {
    await account.commit([insert('a'), insert('b')])
    const blocker = await pool.connect()
    for (let version = 1; version <= 10; version++) {
      // Both batches run, each with its snapshot of the documents, before either can write.
      await blocker.query(`begin; select 1 from ${schema}.documents where key in ('a', 'b') for update`)
      const replaceOne = (storage: string, otherKey: string) =>
        account.commit([
          { do: 'expect', id: at(otherKey), version: 1 },
          { do: 'replace', id: at(storage), version: 1, body: version, fields: {} },
        ])
      const commits = Promise.all([replaceOne('a', 'b'), replaceOne('b', 'a')])
      await waitForLockWaiters(2)
      await blocker.query('commit')
      expect((await commits).map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict'])
      await account.commit([{ do: 'clear', scope: 'proj/p' }, insert('a'), insert('b')])
    }
    blocker.release()
  })

  it('that write the same documents in different orders wait for each other instead of deadlocking', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await account.commit([{ do: 'clear', scope: '' }, ...keys.map((key) => insert(key))])
    // There are enough other documents to make the planner look up the eight documents one by one, in the order of the
    // statement.
    await account.commit(Array.from({ length: 5000 }, (_, i) => insert(`${i}`, 'proj/other')))
    await pool.query(`analyze ${schema}.documents`)
    failures.length = 0
    const replace = (key: string): Change => ({ do: 'replace', id: at(key), version: 1, body: 2, fields: {} })
    const blocker = await pool.connect()
    // Each batch locks the documents up to this document, and would then need documents that the other batch has
    // locked.
    await blocker.query(`begin; select 1 from ${schema}.documents where key = 'd' for update`)
    // Two storages commit, because one storage would not send the second batch before the first is written.
    const commits = Promise.all(
      [keys, [...keys].reverse()].map((batch) => {
        const ofProcess = createPostgresStorage({ pool: recordedPool, schema }).account('acme')
        return ofProcess.commit(batch.map(replace))
      }),
    )
    await waitForLockWaiters(2)
    await blocker.query('commit')
    blocker.release()
    expect((await commits).map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict'])
    // The batch that lost raises the error of a version conflict, and no deadlock.
    expect(failures).toEqual(['YH001'])
  })
})

describe('a scope that is cleared', () => {
  it('receives no document from concurrent batches that expect its owner', async () => {
    const account = (await storages.open()).account('acme')
    const outcomes = new Set<string>()
    // At least sixty rounds, and more until both sides have won once.
    for (let round = 0; round < 60 || outcomes.size < 2; round++) {
      const owner = at(`p${round}`, '')
      const scope = `proj/p${round}`
      await account.commit([{ do: 'insert', id: owner, body: {}, fields: {} }, insert('first', scope)])
      const adding = (key: string) => account.commit([{ do: 'expect', id: owner, version: 1 }, insert(key, scope)])
      const [removed, ...added] = await Promise.all([
        account.commit([
          { do: 'clear', scope },
          { do: 'remove', id: owner, version: 1 },
        ]),
        ...['a', 'b', 'c'].map(adding),
      ])
      expect(removed.outcome).toBe('committed')
      for (const { outcome } of added) outcomes.add(outcome)
      const remaining = await account.list({ collection: 'flags', scope, limit: 10, select: 'fields' })
      expect(remaining.items).toEqual([])
    }
    expect([...outcomes].sort()).toEqual(['committed', 'missing'])
  })
})

describe('a pool that the host configured', () => {
  it.each(['repeatable read', 'serializable'])('may use %s as its default isolation level', async (level) => {
    const schema = ownSchema(pool)
    const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`
    const strictPool = new pg.Pool({ ...testPostgres, max: 4, options })
    onTestFinished(() => strictPool.end())
    const storage = createPostgresStorage({ pool: strictPool, schema })
    await storage.migrate()
    const account = storage.account('acme')
    await account.commit([insert('a')])
    for (let version = 1; version <= 10; version++) {
      const replace: Change = { do: 'replace', id: at('a'), version, body: version, fields: {} }
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => account.commit([replace])))
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict', 'conflict', 'conflict'])
    }
  })
})
