import { type AccountStorage, type Change, compareCodePoints, isStorageUnavailable, type Storage } from '@halyard/core'
import { createPostgresStorage, type PostgresPool } from '@halyard/storage-postgres'
import { storageConformance } from '@halyard/testing'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { startPostgres } from './setup/postgres-server.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

describe('storage on Postgres', () => {
  for (const { group, name, run } of storageConformance(storages)) it(`${group}: ${name}`, run, 60_000)
})

interface Sent {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string
}

interface Record {
  readonly sent: Sent[]
  /** SQLSTATEs of the statements that failed. */
  readonly failures: unknown[]
  readonly recordedPool: PostgresPool
}

/** The pool of this file, with a record of what goes through it. */
function recorded(): Record {
  const sent: Sent[] = []
  const failures: unknown[] = []
  async function connect() {
    const client = await pool.connect()
    return {
      release: (error?: Error) => client.release(error),
      query(statement: { text: string; values?: unknown[]; name?: string }) {
        sent.push(statement)
        const result = client.query(statement)
        result.catch((error: { code?: unknown }) => failures.push(error.code))
        return result
      },
    }
  }
  return { sent, failures, recordedPool: { connect } }
}

/** A schema of the test's own, not yet migrated. */
function ownSchema(): string {
  const schema = uniqueSchema()
  onTestFinished(async () => {
    await pool.query(`drop schema if exists ${schema} cascade`)
  })
  return schema
}

const at = (key: string, scope = 'proj/p') => ({ collection: 'flags', scope, key })
const insert = (key: string, scope?: string): Change => ({
  do: 'insert',
  id: at(key, scope),
  body: { key },
  fields: { name: key },
})
const set = { name: 'included', scope: 'proj/p' }
const series = { name: 'lead-time', scope: 'proj/p' }
const sample = { id: 's1', at: 5, label: 'app', values: [1], body: null }

describe('statements', () => {
  const { sent, recordedPool } = recorded()
  const schema = uniqueSchema()
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')

  beforeAll(() => createPostgresStorage({ pool, schema }).migrate())
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
    const before = sent.length
    await work()
    return sent.slice(before)
  }

  it('changes of documents, whatever kinds and however many, are one', async () => {
    await account.commit([insert('a'), insert('b'), insert('c')])
    const mixed: Change[] = [
      { do: 'expect', id: at('a'), version: 1 },
      { do: 'replace', id: at('b'), version: 1, body: 2, fields: {} },
      { do: 'remove', id: at('c'), version: 1 },
      insert('d'),
    ]
    expect(await statementsOf(() => account.commit(mixed))).toHaveLength(1)
    const many = Array.from({ length: 500 }, (_, i) => insert(`many-${i}`))
    expect(await statementsOf(() => account.commit(many))).toHaveLength(1)
  })

  it('anything else is a transaction when it takes more than one', async () => {
    const one = await statementsOf(() => account.commit([{ do: 'add-members', set, members: ['m'] }]))
    expect(one).toHaveLength(1)
    const samples = [sample, { ...sample, id: `${sample.id}-2` }]
    const two = await statementsOf(() => account.commit([insert('e'), { do: 'append', series, samples }]))
    expect(two.map(({ text }) => text.split(' ')[0])).toEqual(['begin', 'insert', 'with', 'commit'])
  })

  it('changes of documents and one sample, as nearly every change is, are one, and count the sample', async () => {
    const append = { do: 'append', series, samples: [{ ...sample, id: 'logged' }] } as const
    const batch = (key: string): Change[] => [insert(key), insert(`${key}-2`), append]
    expect(await statementsOf(() => account.commit(batch('logged-1')))).toHaveLength(1)
    expect(await account.commit(batch('logged-2'))).toEqual({ outcome: 'committed', counts: [1, 1, 0] })
    expect(await account.commit(batch('logged-2'))).toEqual({ outcome: 'exists', change: 0 })
    const fresh = { ...append, samples: [{ ...sample, id: 'fresh' }] }
    expect(await account.commit([insert('logged-3'), fresh])).toEqual({ outcome: 'committed', counts: [1, 1] })
  })

  it('documents, a sample and tasks in a hundred scopes are one, and so is the end of a task with what it did', async () => {
    const append = { do: 'append', series, samples: [{ ...sample, id: 'with-tasks' }] } as const
    const task = { id: 't', lane: '', at: 1, due: 1, body: {} }
    const queues = Array.from({ length: 100 }, (_, i) => ({ name: 'deliveries', scope: `webhook/${i}` }))
    const enqueued = queues.map((queue): Change => ({ do: 'enqueue', queue, tasks: [task] }))
    const batch = [insert('told'), insert('told-2'), append, ...enqueued]
    expect(await statementsOf(() => account.commit(batch))).toHaveLength(1)
    const take = () => account.take({ name: 'deliveries', now: 1, until: 1000, limit: 10 })
    expect(await statementsOf(take)).toHaveLength(1)
    const finish: Change = { do: 'finish', queue: { name: 'deliveries', scope: 'webhook/0' }, task: 't', takes: 1 }
    expect(await statementsOf(() => account.commit([insert('done'), append, finish]))).toHaveLength(1)
  })

  it('a refusal costs one more, and keeps the connection', async () => {
    await account.commit([insert('f')])
    let opened = 0
    const count = () => opened++
    pool.on('connect', count)
    onTestFinished(() => void pool.off('connect', count))
    for (let i = 0; i < 10; i++) expect(await statementsOf(() => account.commit([insert('f')]))).toHaveLength(2)
    expect(opened).toBe(0)
  })

  it('are prepared by names that stand for one text each', async () => {
    await everyVerb(account)
    const texts = new Map<string, string>()
    for (const { name, text } of sent) {
      if (name === undefined) continue
      expect(name.length).toBeLessThanOrEqual(63)
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
    }
    expect(texts.size).toBeGreaterThan(10)
  })

  it('have no names where preparing is turned off', async () => {
    const mark = sent.length
    await everyVerb(createPostgresStorage({ pool: recordedPool, schema, prepare: false }).account('unprepared'))
    expect(sent.slice(mark).filter(({ name }) => name !== undefined)).toEqual([])
  })

  it('keep to the account wherever they name a table', async () => {
    const statements = await statementsOf(() =>
      everyVerb(createPostgresStorage({ pool: recordedPool, schema }).account('zz-own')),
    )
    const naming = statements.filter(({ text }) => text.includes(schema))
    expect(naming.length).toBeGreaterThan(15)
    for (const { text, values = [] } of naming) {
      const tables = text.match(/(from|join|update|into) "\w+"\.(documents|members|samples|tasks|openings)/g) ?? []
      const guards = [...text.matchAll(/account = \$(\d+)|\(account, [^)]*\)\s+select \$(\d+)/g)]
      expect(guards.length, text).toBe(tables.length)
      for (const [, compared, written] of guards) expect(values[Number(compared ?? written) - 1]).toBe('zz-own')
    }
  })

  it('hold no value in their text', async () => {
    const statements = await statementsOf(() =>
      everyVerb(createPostgresStorage({ pool: recordedPool, schema }).account('zz-values')),
    )
    for (const { text } of statements) expect(text).not.toMatch(/zz|4711/)
  })

  it('walk along an index, also those of a scope and all under it', async () => {
    for (let p = 0; p < 40; p++) {
      const scopes = [`proj/p${p}`, `proj/p${p}:env/e`]
      await account.commit(scopes.flatMap((scope) => Array.from({ length: 100 }, (_, i) => insert(`k${i}`, scope))))
      for (const scope of scopes) {
        await account.commit([
          { do: 'add-members', set: { name: 'set', scope }, members: Array.from({ length: 100 }, (_, i) => `m${i}`) },
          {
            do: 'append',
            series: { name: 'series', scope },
            samples: Array.from({ length: 100 }, (_, i) => ({ ...sample, id: `s${i}`, at: i })),
          },
        ])
      }
    }
    await pool.query('analyze')
    const statements = await statementsOf(() => everyVerb(account, 'proj/p7'))
    for (const { text, values } of statements) {
      if (/^(begin|commit)/.test(text)) continue
      const { rows } = await pool.query(`explain ${text}`, values)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n'), text).not.toMatch(
        /Seq Scan on (documents|members|samples)/,
      )
    }
  }, 60_000)
})

/** Calls every verb, and commits every kind of change; with values that would be seen in the text of a statement. */
async function everyVerb(account: AccountStorage, scope = 'zz-scope'): Promise<void> {
  const [one, two] = ['zz-1', 'zz-2'].map((key) => at(key, scope)) as [ReturnType<typeof at>, ReturnType<typeof at>]
  const [ownSet, ownSeries] = [
    { name: 'zz-set', scope },
    { name: 'zz-series', scope },
  ]
  await account.commit([insert('zz-1', scope), insert('zz-2', scope)])
  await account.commit([
    { do: 'replace', id: one, version: 1, body: 'zz', fields: { 'zz-field': 4711 } },
    { do: 'expect', id: two, version: 1 },
    { do: 'add-members', set: ownSet, members: ['zz-a', 'zz-b'] },
    { do: 'remove-members', set: ownSet, members: ['zz-a'] },
    { do: 'append', series: ownSeries, samples: [{ ...sample, id: 'zz-s', at: 4711, label: 'zz-l' }] },
  ])
  await account.commit([{ do: 'insert', id: two, body: 'taken', fields: {} }])
  await account.get(one)
  await account.getMany([one, two])
  for (const deep of [false, true]) {
    await account.list({
      collection: 'flags',
      scope,
      deep,
      limit: 4711,
      count: true,
      select: 'bodies',
      order: [
        { field: 'zz-field', type: 'number' },
        { field: 'zz-name', type: 'text', descending: true },
      ],
      where: [
        { op: 'not', condition: { op: 'equals', field: 'zz-name', value: 'zz' } },
        {
          op: 'or',
          any: [
            { op: 'anyOf', field: 'key', values: ['zz-1'] },
            { op: 'exists', field: 'zz-name', value: true },
          ],
        },
        { op: 'not', condition: { op: 'contains', in: ['zz-name'], text: 'zz%' } },
        { op: 'not', condition: { op: 'range', field: 'zz-name', from: 4711, to: 4711.5 } },
      ],
    })
  }
  await account.hasMember(ownSet, 'zz-b')
  await account.countMembers(ownSet)
  await account.pageMembers(ownSet, { limit: 4711 })
  await account.pageMembers(ownSet, { after: 'zz-a', limit: 4711 })
  await account.scan({ series: ownSeries, from: 4711, to: 4712, columns: 3, labels: ['zz-l'] })
  await account.newest({ series: ownSeries, limit: 4711, before: { at: 4712, id: 'zz-s' }, labels: ['zz-l'] })
  const queue = { name: 'zz-queue', scope }
  const task = (id: string, at: number) => ({ id, lane: 'zz-lane', at, due: 4711, body: 'zz' })
  await account.commit([insert('zz-3', scope), { do: 'enqueue', queue, tasks: [task('zz-1', 1), task('zz-2', 2)] }])
  await account.take({ name: 'zz-queue', now: 4711, until: 4712, limit: 1 })
  await account.listTasks(queue, { limit: 4711, after: { at: 0, id: 'zz' } })
  await account.commit([{ do: 'postpone', queue, task: 'zz-1', takes: 1, due: 4711, body: 'zz' }])
  await account.commit([{ do: 'finish', queue, task: 'zz-1', takes: 4711 }])
  await account.commit([{ do: 'finish', queue, task: 'zz-1', takes: 1 }])
  await account.commit([{ do: 'trim', series: ownSeries, before: 4711 }])
  await account.commit([
    { do: 'remove', id: two, version: 1 },
    { do: 'clear', scope },
  ])
}

describe('migrating', () => {
  it('is asked for by every verb of a schema that was not', async () => {
    const storage = createPostgresStorage({ pool, schema: ownSchema() })
    const account = storage.account('acme')
    const verbs = [
      () => storage.ping(),
      () => account.get(at('a')),
      () => account.commit([insert('a')]),
      () => account.countMembers(set),
      () => account.newest({ series, limit: 1 }),
    ]
    for (const verb of verbs) {
      const error = await verb().catch((thrown: unknown) => thrown)
      expect(isStorageUnavailable(error)).toBe(true)
      expect(String(error)).toContain('run migrate()')
    }
  })

  it('may be begun by many processes at once', async () => {
    const schema = ownSchema()
    const all = Array.from({ length: 8 }, () => createPostgresStorage({ pool, schema }))
    await Promise.all(all.map((storage) => storage.migrate()))
    await Promise.all(all.map((storage) => storage.ping()))
  })

  it('refuses what a newer version left', async () => {
    const schema = ownSchema()
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    await pool.query(`insert into ${schema}.migrations (version) values (999)`)
    await expect(storage.migrate()).rejects.toThrow(/version 999.*update it/)
    const error = await storage.ping().catch((thrown: unknown) => thrown)
    expect(isStorageUnavailable(error)).toBe(true)
  })

  it('needs no right to create schemas where the schema is there', async () => {
    const schema = ownSchema()
    await pool.query(`create role ${schema} login; create schema ${schema} authorization ${schema}`)
    const limited = new pg.Pool({ ...inject('postgres'), user: schema, max: 1 })
    onTestFinished(async () => {
      await limited.end()
      await pool.query(`drop owned by ${schema}; drop role ${schema}`)
    })
    const storage = createPostgresStorage({ pool: limited, schema })
    await storage.migrate()
    expect(await storage.account('acme').commit([insert('a')])).toMatchObject({ outcome: 'committed' })
  })

  it('refuses a database that is not UTF-8', async () => {
    const name = uniqueSchema()
    await pool.query(`create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`)
    const ascii = new pg.Pool({ ...inject('postgres'), database: name, max: 1 })
    onTestFinished(async () => {
      await ascii.end()
      await pool.query(`drop database ${name}`)
    })
    await expect(createPostgresStorage({ pool: ascii }).migrate()).rejects.toThrow('SQL_ASCII')
  })
})

describe('shares of windows that are over', () => {
  const minute = 60_000
  const share = (window: number, key: string) => ({
    key,
    window: window * minute,
    until: (window + 1) * minute,
    limit: 10,
    wanted: 1,
  })

  it('are swept when the next one begins, those of the window before not yet', async () => {
    const schema = ownSchema()
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    const account = storage.account('acme')
    for (const window of [0, 1, 2, 3, 4]) {
      for (const key of ['a', 'b']) await account.reserve?.(share(window, key))
    }
    await storage.account('other').reserve?.(share(0, 'a'))
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

  it('are swept by many at once without waiting for each other', async () => {
    const schema = ownSchema()
    const storages = Array.from({ length: 4 }, () => createPostgresStorage({ pool, schema }))
    await storages[0]?.migrate()
    for (let window = 0; window < 20; window++) {
      const answers = await Promise.all(
        storages.flatMap((one) =>
          Array.from({ length: 8 }, (_, key) => one.account('acme').reserve?.(share(window, `${key}`))),
        ),
      )
      expect(answers.map((one) => one?.granted)).toEqual(answers.map(() => 1))
    }
  })
})

describe('text that Postgres cannot hold', () => {
  it('is kept, found and ordered like any other', async () => {
    const account = (await storages.open()).account('acme')
    const unit = fc.oneof(
      fc.constantFrom('\u0000', '\u0001', 'a'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    const names = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(names, async (keys) => {
        const scope = `run/${++run}`
        const sorted = [...keys].sort(compareCodePoints)
        const documents = keys.map(
          (key): Change => ({ do: 'insert', id: at(key, scope), body: { key }, fields: { key, list: [key] } }),
        )
        await account.commit([...documents, { do: 'add-members', set: { name: 'set', scope }, members: keys }])
        const order = [{ field: 'key', type: 'text' }] as const
        const { items } = await account.list({ collection: 'flags', scope, limit: 10, order, select: 'bodies' })
        expect(items.map(({ key, fields, body }) => ({ key, fields, body }))).toEqual(
          sorted.map((key) => ({ key, fields: { key, list: [key] }, body: { key } })),
        )
        expect(await account.pageMembers({ name: 'set', scope }, { limit: 10 })).toEqual(sorted)
        const [wanted] = keys as [string]
        const where = [{ op: 'equals', field: 'list', value: wanted }] as const
        const found = await account.list({ collection: 'flags', scope, limit: 10, where, select: 'fields' })
        expect(found.items.map(({ key }) => key)).toEqual([wanted])
      }),
      { numRuns: 40 },
    )
  })
})

describe('batches at the same time', () => {
  /** Resolves when so many statements on the server wait for a lock. */
  async function waitersOnLocks(count: number): Promise<void> {
    for (;;) {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
        [schema],
      )
      if (rows.length >= count) return
    }
  }

  const schema = uniqueSchema()
  const { failures, recordedPool } = recorded()
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')
  beforeAll(() => createPostgresStorage({ pool, schema }).migrate())
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  it('that each expect what the other one replaces cannot both get through, however they interleave', async () => {
    await account.commit([insert('a'), insert('b')])
    const blocker = await pool.connect()
    for (let version = 1; version <= 10; version++) {
      // Both batches are under way, each with its view of the documents, before either can write.
      await blocker.query(`begin; select 1 from ${schema}.documents where key in ('a', 'b') for update`)
      const replaceOne = (one: string, other: string) =>
        account.commit([
          { do: 'expect', id: at(other), version: 1 },
          { do: 'replace', id: at(one), version: 1, body: version, fields: {} },
        ])
      const commits = Promise.all([replaceOne('a', 'b'), replaceOne('b', 'a')])
      await waitersOnLocks(2)
      await blocker.query('commit')
      expect((await commits).map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict'])
      await account.commit([{ do: 'clear', scope: 'proj/p' }, insert('a'), insert('b')])
    }
    blocker.release()
  })

  it('that write the same documents queue up, in whatever order they name them', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await account.commit([{ do: 'clear', scope: '' }, ...keys.map((key) => insert(key))])
    // Enough others that the eight are looked up one by one, in the order in which the statement has them.
    await account.commit(Array.from({ length: 5000 }, (_, i) => insert(`${i}`, 'proj/other')))
    await pool.query(`analyze ${schema}.documents`)
    failures.length = 0
    const replace = (key: string): Change => ({ do: 'replace', id: at(key), version: 1, body: 2, fields: {} })
    const blocker = await pool.connect()
    // Each gets as far as the middle, and would then want what the other one has.
    await blocker.query(`begin; select 1 from ${schema}.documents where key = 'd' for update`)
    const commits = Promise.all([keys, [...keys].reverse()].map((batch) => account.commit(batch.map(replace))))
    await waitersOnLocks(2)
    await blocker.query('commit')
    blocker.release()
    expect((await commits).map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict'])
    // The loser's own refusal, and no deadlock.
    expect(failures).toEqual(['YH001'])
  })
})

describe('a scope that is cleared', () => {
  it('is not added to meanwhile by those who expect its owner', async () => {
    const account = (await storages.open()).account('acme')
    const outcomes = new Set<string>()
    // Both sides come first now and then: sixty rounds, and more where one has not yet.
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
      const left = await account.list({ collection: 'flags', scope, limit: 10, select: 'fields' })
      expect(left.items).toEqual([])
    }
    expect([...outcomes].sort()).toEqual(['committed', 'missing'])
  })
})

describe('a scope that is cleared among thousands', () => {
  it('costs no look at the documents of others, also once its statement is planned for any scope', async () => {
    const { sent, recordedPool } = recorded()
    const schema = ownSchema()
    const storage = createPostgresStorage({ pool: recordedPool, schema })
    await storage.migrate()
    const account = storage.account('acme')
    const flags = Array.from({ length: 2_000 }, (_, i) => `f${i}`)
    await account.commit(flags.map((key) => insert(key)))
    for (const collection of ['configs', 'links', 'uses']) {
      await account.commit([
        { do: 'insert', id: { collection, scope: 'proj/p:flag/f7', key: 'k' }, body: 1, fields: {} },
      ])
    }
    await account.commit([{ do: 'clear', scope: 'proj/p:flag/f7' }])
    const { text, values } = sent.find(({ name }) => name?.startsWith('clear ')) as Sent
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set local plan_cache_mode = force_generic_plan')
      await client.query(`prepare clearing as ${text}`)
      const given = (values as string[]).map((value) => `'${value}'`).join(', ')
      const { rows } = await client.query(`explain (analyze, timing off) execute clearing(${given})`)
      const seen = rows.flatMap((row) => {
        const [, count] = /Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(row['QUERY PLAN']) ?? []
        return count === undefined ? [] : [Number(count)]
      })
      expect(Math.max(0, ...seen)).toBeLessThan(20)
    } finally {
      await client.query('rollback')
      await client.query('deallocate all')
      client.release()
    }
  })
})

describe('a pool that the host set up in its own way', () => {
  it.each(['repeatable read', 'serializable'])('may begin transactions as %s', async (level) => {
    const schema = ownSchema()
    const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`
    const strict = new pg.Pool({ ...inject('postgres'), max: 4, options })
    onTestFinished(() => strict.end())
    const storage = createPostgresStorage({ pool: strict, schema })
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

describe('a server that dies', () => {
  it('makes the storage unavailable until it is back, and has kept all that it acknowledged', async () => {
    const server = await startPostgres({ durable: true })
    const own = new pg.Pool({ ...server.connection, max: 4 })
    // Idle connections tell the pool of their end; without a listener that would end the process.
    own.on('error', () => {})
    onTestFinished(async () => {
      await own.end()
      await server.stop()
    })
    const storage = createPostgresStorage({ pool: own })
    await storage.migrate()
    for (let round = 0; round < (longTests ? 10 : 4); round++) {
      await writeUntilItDies(storage, round, () => server.kill())
      expect(isStorageUnavailable(await storage.ping().catch((error: unknown) => error))).toBe(true)
      await server.restart()
      await storage.ping()
    }
    await expectAllWritten(storage.account('acme'))
  }, 60_000)

  const acknowledged: string[] = []

  /** Four writers at once, each commit a pair of documents; the server is killed among them. */
  async function writeUntilItDies(storage: Storage, round: number, kill: () => Promise<void>): Promise<void> {
    const account = storage.account('acme')
    let killed: Promise<void> | undefined
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const name = `${round}-${writer}-${n}`
        try {
          await account.commit([insert(name, 'left'), insert(name, 'right')])
        } catch (error) {
          if (isStorageUnavailable(error)) return
          throw error
        }
        acknowledged.push(name)
        if (writer === 0 && n === 5 + 20 * round) killed = kill()
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    await killed
  }

  async function expectAllWritten(account: AccountStorage): Promise<void> {
    const [left, right] = await Promise.all(
      ['left', 'right'].map((scope) => account.list({ collection: 'flags', scope, limit: 100_000, select: 'fields' })),
    )
    const written = new Set(left?.items.map(({ key }) => key))
    expect(new Set(right?.items.map(({ key }) => key))).toEqual(written)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((name) => !written.has(name))).toEqual([])
  }
})
