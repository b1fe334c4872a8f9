import { createEngine } from '@halyard/core'
import type { Change } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callEveryMethod } from './setup/every-storage-call.ts'
import { at, insert, sample, series, set } from './setup/postgres-records.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'
import { recordPool, type SentStatement } from './setup/recorded-pool.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

describe('SQL statements of a deletion', () => {
  const { sentStatements, recordedPool } = recordPool(pool)
  const schema = uniqueSchema()
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  it('are few for any number of kinds of documents that are deleted with the flag, and of environments', async () => {
    const engine = createEngine({ storage: createPostgresStorage({ pool: recordedPool, schema }), rateLimit: false })
    onTestFinished(() => engine.close())
    await engine.migrate()
    const as = (await engine.bootstrap())?.token as string
    const environments = ['a', 'b', 'c', 'd'].map((key) => ({ key, name: key, color: 'aaaaaa' }))
    await engine.api.createProject({ body: { key: 'web', name: 'Web', environments } }, { as })
    const statementsOfDeletion = async () => {
      await engine.api.createFlag({ projectKey: 'web', body: { key: 'passing', name: 'Passing' } }, { as })
      const countBefore = sentStatements.length
      await engine.api.deleteFlag({ projectKey: 'web', flagKey: 'passing' }, { as })
      return sentStatements.slice(countBefore)
    }
    const sent = await statementsOfDeletion()
    // Deletes the documents, everything under the flag and the entries of indexes.
    expect(sent.filter(({ text }) => !text.startsWith('select'))).toHaveLength(1)
    // The statements read the caller, the flag with its environments, references to the flag, and everything that is
    // deleted with it: more than 50 lists.
    expect(sent.length).toBeLessThanOrEqual(10)
    for (let i = 0; i < 4; i++) await statementsOfDeletion()
    // Planning a statement that is composed of dozens of lists takes longer than running it.
    const composed = (await statementsOfDeletion()).filter(({ text }) => /union all|^with |^update /.test(text))
    expect(composed.length).toBeGreaterThan(1)
    for (const { name, text } of composed) expect(name, text).toBeDefined()
  })
})

describe('SQL statements', () => {
  const { sentStatements, recordedPool } = recordPool(pool)
  const schema = uniqueSchema()
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')

  beforeAll(() => createPostgresStorage({ pool, schema }).migrate())
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
    const countBefore = sentStatements.length
    await work()
    return sentStatements.slice(countBefore)
  }

  it('any number and kind of document changes take one statement', async () => {
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

  it('keys take one statement, and other changes that need several run in a transaction', async () => {
    const memberStatements = await statementsOf(() => account.commit([{ do: 'add-keys', set, keys: ['m'] }]))
    expect(memberStatements).toHaveLength(1)
    const samples = [sample, { ...sample, id: `${sample.id}-2` }]
    const mixedStatements = await statementsOf(() => account.commit([insert('e'), { do: 'append', series, samples }]))
    expect(mixedStatements.map(({ text }) => text.split(' ')[0])).toEqual(['begin', 'insert', 'with', 'commit'])
  })

  it('document changes with one sample take one statement, and the sample is counted', async () => {
    const append = { do: 'append', series, samples: [{ ...sample, id: 'logged' }] } as const
    const batch = (key: string): Change[] => [insert(key), insert(`${key}-2`), append]
    expect(await statementsOf(() => account.commit(batch('logged-1')))).toHaveLength(1)
    expect(await account.commit(batch('logged-2'))).toEqual({ outcome: 'committed', counts: [1, 1, 0] })
    expect(await account.commit(batch('logged-2'))).toEqual({ outcome: 'exists', change: 0 })
    const newSample = { ...append, samples: [{ ...sample, id: 'fresh' }] }
    expect(await account.commit([insert('logged-3'), newSample])).toEqual({ outcome: 'committed', counts: [1, 1] })
  })

  it('documents, a sample and tasks in 100 scopes take one statement, and so does finishing a task with its changes', async () => {
    const append = { do: 'append', series, samples: [{ ...sample, id: 'with-tasks' }] } as const
    const task = { id: 't', lane: '', at: 1, due: 1, body: {} }
    const queues = Array.from({ length: 100 }, (_, i) => ({ name: 'deliveries', scope: `webhook/${i}` }))
    const enqueueChanges = queues.map((queue): Change => ({ do: 'enqueue', queue, tasks: [task] }))
    const batch = [insert('told'), insert('told-2'), append, ...enqueueChanges]
    expect(await statementsOf(() => account.commit(batch))).toHaveLength(1)
    const take = () => account.take({ name: 'deliveries', now: 1, until: 1000, limit: 10 })
    expect(await statementsOf(take)).toHaveLength(1)
    const finish: Change = { do: 'finish', queue: { name: 'deliveries', scope: 'webhook/0' }, task: 't', takes: 1 }
    expect(await statementsOf(() => account.commit([insert('done'), append, finish]))).toHaveLength(1)
  })

  it('a refused batch takes one additional statement and keeps the connection', async () => {
    await account.commit([insert('f')])
    let openedConnections = 0
    const count = () => openedConnections++
    pool.on('connect', count)
    onTestFinished(() => void pool.off('connect', count))
    for (let i = 0; i < 10; i++) expect(await statementsOf(() => account.commit([insert('f')]))).toHaveLength(2)
    expect(openedConnections).toBe(0)
  })

  it('prepared statements have one name for each text', async () => {
    await callEveryMethod(account)
    for (const count of [1, 8, 9, 60]) {
      const samples = Array.from({ length: count }, (_, i): Change => {
        return { do: 'append', series, samples: [{ ...sample, id: `of-${count}-${i}` }] }
      })
      await account.commit([insert(`with-${count}`), ...samples])
    }
    const texts = new Map<string, string>()
    for (const { name, text } of sentStatements) {
      if (name === undefined) continue
      expect(name.length).toBeLessThanOrEqual(63)
      expect(texts.get(name) ?? text).toBe(text)
      texts.set(name, text)
    }
    expect(texts.size).toBeGreaterThan(10)
  })

  it('statements have no names when `prepare` is false', async () => {
    const countBefore = sentStatements.length
    await callEveryMethod(createPostgresStorage({ pool: recordedPool, schema, prepare: false }).account('unprepared'))
    expect(sentStatements.slice(countBefore).filter(({ name }) => name !== undefined)).toEqual([])
  })

  it('statements restrict every table to the account', async () => {
    const statements = await statementsOf(() =>
      callEveryMethod(createPostgresStorage({ pool: recordedPool, schema }).account('zz-own')),
    )
    const onTables = statements.filter(({ text }) => text.includes(schema))
    expect(onTables.length).toBeGreaterThan(15)
    for (const { text, values = [] } of onTables) {
      const tables = text.match(/(from|join|update|into) "\w+"\.(documents|members|samples|tasks|openings)/g) ?? []
      const guards = [...text.matchAll(/account = \$(\d+)|\(account, [^)]*\)\s+select \$(\d+)/g)]
      expect(guards.length, text).toBe(tables.length)
      for (const [, compared, written] of guards) expect(values[Number(compared ?? written) - 1]).toBe('zz-own')
    }
  })

  it('statements contain no values in their text', async () => {
    const statements = await statementsOf(() =>
      callEveryMethod(createPostgresStorage({ pool: recordedPool, schema }).account('zz-values')),
    )
    for (const { text } of statements) expect(text).not.toMatch(/zz|4711/)
  })

  it('statements use an index, also for a scope and everything below it', async () => {
    for (let p = 0; p < 40; p++) {
      const scopes = [`proj/p${p}`, `proj/p${p}:env/e`]
      await account.commit(scopes.flatMap((scope) => Array.from({ length: 100 }, (_, i) => insert(`k${i}`, scope))))
      for (const scope of scopes) {
        await account.commit([
          { do: 'add-keys', set: { name: 'set', scope }, keys: Array.from({ length: 100 }, (_, i) => `m${i}`) },
          {
            do: 'append',
            series: { name: 'series', scope },
            samples: Array.from({ length: 100 }, (_, i) => ({ ...sample, id: `s${i}`, at: i })),
          },
        ])
      }
    }
    await pool.query('analyze')
    const statements = await statementsOf(() => callEveryMethod(account, 'proj/p7'))
    for (const { text, values } of statements) {
      if (/^(begin|commit)/.test(text)) continue
      const { rows } = await pool.query(`explain ${text}`, values)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n'), text).not.toMatch(
        /Seq Scan on (documents|members|samples)/,
      )
    }
  }, 60_000)
})

/** Returns the number of rows that a statement reads in the tables of a schema. Its changes are undone. */
async function rowsReadBy(schema: string, text: string, values: unknown[]): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ text, values })
    const { rows } = await client.query(
      'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where schemaname = $1',
      [schema],
    )
    return rows[0].read
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a deletion among thousands of documents', () => {
  const { sentStatements, recordedPool } = recordPool(pool)
  const schema = uniqueSchema()
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')
  const count = 2_000
  const numbers = Array.from({ length: count }, (_, i) => i)

  beforeAll(async () => {
    await createPostgresStorage({ pool, schema }).migrate()
    const link = (i: number): Change => {
      const id = { collection: 'links', scope: `proj/p:view/v${i % 100}`, key: `f${i}` }
      return { do: 'insert', id, body: i, fields: {} }
    }
    const request = (i: number): Change => {
      const fields = { project: 'p', flag: `f${i}` }
      return { do: 'insert', id: { collection: 'requests', scope: '', key: `r${i}` }, body: i, fields }
    }
    const task = (i: number): Change => {
      const queue = { name: 'q', scope: `proj/p:flag/f${i}` }
      return { do: 'enqueue', queue, tasks: [{ id: 't', lane: '', at: i, due: i, body: null }] }
    }
    const element = (i: number): Change => ({
      do: 'add-keys',
      set: { name: 's', scope: `proj/p:flag/f${i}` },
      keys: ['k'],
    })
    await account.commit(numbers.map((i) => insert(`f${i}`)))
    await account.commit(numbers.map(link))
    await account.commit(numbers.map(request))
    await account.commit(numbers.slice(0, 500).map(task))
    await account.commit(numbers.slice(0, 500).map(element))
    const appended = numbers.map((i): Change => {
      return { do: 'append', series: { name: 'n', scope: `proj/p:flag/f${i}` }, samples: [sample] }
    })
    await account.commit([insert('last'), ...appended])
    await pool.query('analyze')
  }, 60_000)
  afterAll(() => pool.query(`drop schema ${schema} cascade`))

  const deletions: Readonly<Record<string, { readonly change: Change; readonly deleted: number }>> = {
    'everything under a flag': { change: { do: 'clear', scope: 'proj/p:flag/f7' }, deleted: 3 },
    'links with a key in many scopes': {
      change: {
        do: 'discard-all',
        collection: 'links',
        scope: 'proj/p',
        where: [{ op: 'equals', field: 'key', value: 'f7' }],
      },
      deleted: 1,
    },
    'requests with a value': {
      change: {
        do: 'discard-all',
        collection: 'requests',
        scope: '',
        where: [
          { op: 'equals', field: 'flag', value: 'f7' },
          { op: 'anyOf', field: 'project', values: ['o', 'p'] },
        ],
      },
      deleted: 1,
    },
  }

  it.each(Object.entries(deletions))('of %s reads no other documents', async (_, { change, deleted }) => {
    const before = sentStatements.length
    expect(await account.commit([change])).toEqual({ outcome: 'committed', counts: [deleted] })
    const { text, values } = sentStatements.slice(before).find(({ text }) => /sweep/.test(text)) as SentStatement
    // This time the statement finds nothing to delete, so all rows that it reads are read in vain.
    expect(await rowsReadBy(schema, text, values as unknown[])).toBeLessThan(250)
  })
})

it('a deletion reads few rows where nearly all documents are in one scope', async () => {
  const schema = uniqueSchema()
  onTestFinished(async () => {
    await pool.query(`drop schema ${schema} cascade`)
  })
  const { sentStatements, recordedPool } = recordPool(pool)
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')
  await createPostgresStorage({ pool, schema }).migrate()
  await account.commit(Array.from({ length: 5_000 }, (_, i) => insert(`f${i}`)))
  await pool.query('analyze')
  const before = sentStatements.length
  await account.commit([
    { do: 'clear', scope: 'proj/p:flag/f7' },
    { do: 'discard-all', collection: 'links', scope: 'proj/p', where: [{ op: 'equals', field: 'key', value: 'f7' }] },
  ])
  const sweeps = sentStatements.slice(before).filter(({ text }) => /sweep/.test(text))
  expect(sweeps.length).toBeGreaterThan(0)
  for (const { text, values } of sweeps) {
    expect(await rowsReadBy(schema, text, values as unknown[])).toBeLessThan(50)
  }
})
