import type { AccountStorage, Change, Condition, Fields, ListQuery, Order, StoredRecord } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createSqliteStorage, type SqliteConnection } from '@halyard/storage-sqlite'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownSchema } from './setup/own-schema.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'
import { recordPool } from './setup/recorded-pool.ts'

const count = 20_000
const scope = 'proj/p'

/** The sorts that lists of flags, segments, metrics, projects and environments document. */
const sorts: Readonly<Record<string, readonly Order[]>> = {
  name: [{ field: 'name', type: 'text', ignoreCase: true }],
  '-name': [{ field: 'name', type: 'text', ignoreCase: true, descending: true }],
  key: [{ field: 'key', type: 'text' }],
  creationDate: [{ field: 'createdAt', type: 'number' }],
  '-creationDate': [{ field: 'createdAt', type: 'number', descending: true }],
}

/** Filters of the lists, with the number of documents that each finds. */
const filters: Readonly<Record<string, { readonly where: readonly Condition[]; readonly total: number }>> = {
  'tags:rare': { where: [{ op: 'equals', field: 'tags', value: 'rare' }], total: 20 },
  'query:flag 1234': { where: [{ op: 'contains', in: ['key', 'name'], text: 'Flag 1234' }], total: 11 },
  'maintainer and state': {
    where: [
      { op: 'equals', field: 'maintainerId', value: 'm7' },
      { op: 'anyOf', field: 'state', values: ['live'] },
    ],
    total: 200,
  },
  'one of two tags, or a list of many': {
    where: [
      {
        op: 'or',
        any: [
          { op: 'anyOf', field: 'tags', values: ['rare', 'nothing'] },
          { op: 'equals', field: 'includedKeys', value: 'k150' },
        ],
      },
    ],
    total: 21,
  },
}

const combinations = Object.entries({ none: { where: [], total: count }, ...filters }).flatMap(([filter, conditions]) =>
  Object.entries(sorts).map(([sort, order]) => ({ title: `sort ${sort}, filter ${filter}`, order, ...conditions })),
)

const notArchived: readonly Condition[] = [
  { op: 'not', condition: { op: 'equals', field: 'state', value: 'archived' } },
]

const rareInAnyScope = filters['tags:rare'] as (typeof filters)['']

const collections = ['flag', 'segment']

function documents(collection: string, size: number): StoredRecord[] {
  return Array.from({ length: size }, (_, i): StoredRecord => {
    const manyKeys: Fields = i === 77 ? { includedKeys: Array.from({ length: 200 }, (_, k) => `k${k}`) } : {}
    return {
      kind: 'document',
      id: { collection, scope, key: `key-${i}` },
      version: 1,
      body: { text: 'x'.repeat(200) },
      fields: {
        name: `${i % 2 ? 'Flag' : 'flag'} ${(i * 7919) % count}`,
        tags: i % 1000 === 1 ? ['rare', 'any'] : ['any'],
        state: 'live',
        maintainerId: `m${i % 100}`,
        createdAt: 1_700_000_000_000 + ((i * 104_729) % count),
        ...manyKeys,
      },
    }
  })
}

async function fill(account: AccountStorage): Promise<void> {
  for (const collection of collections) {
    await account.commit([{ do: 'load', records: documents(collection, count) }])
  }
  await account.commit([{ do: 'load', records: documents('few', 1000) }])
}

const listOf = (query: Pick<ListQuery, 'where' | 'order'>): ListQuery => ({
  collection: 'flag',
  scope,
  limit: 20,
  count: true,
  select: 'fields',
  ...query,
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Filter?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

/** Returns all nodes of a plan. */
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const wasExecuted = (node: Plan) => node['Actual Loops'] > 0

/** Returns the maximum number of documents that a part of a plan reads from the table, and not only from an index. */
function maxDocuments(nodes: readonly Plan[]): number {
  const readers = nodes.filter((node) => ['Seq Scan', 'Index Scan', 'Bitmap Heap Scan'].includes(node['Node Type']))
  return Math.max(...readers.map((node) => node['Actual Rows'] * node['Actual Loops']))
}

describe('lists of 20,000 documents on Postgres', () => {
  const storages = postgresStorages()
  const { sentStatements, recordedPool } = recordPool(storages.pool)
  const schema = uniqueSchema()
  const account = createPostgresStorage({ pool: recordedPool, schema }).account('acme')

  beforeAll(async () => {
    await createPostgresStorage({ pool: storages.pool, schema }).migrate()
    await fill(account)
    // Rows become visible to all only when the log of their commit is on disk, which the server of the tests postpones.
    await storages.pool.query('checkpoint')
    await storages.pool.query(`vacuum analyze ${schema}.documents`)
  }, 120_000)
  afterAll(async () => {
    await storages.pool.query(`drop schema ${schema} cascade`)
    await storages.dispose()
  })

  async function planNodes(list: ListQuery): Promise<{ nodes: Plan[]; total: number | undefined }> {
    const before = sentStatements.length
    const { total } = await account.list(list)
    const [{ text, values } = { text: '', values: [] }] = sentStatements.slice(before)
    const { rows } = await storages.pool.query(`explain (analyze, timing off, format json) ${text}`, values)
    return { nodes: nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter(wasExecuted), total }
  }

  for (const { title, where, order, total } of combinations) {
    it(`use an index: ${title}`, async () => {
      const { nodes, total: found } = await planNodes(listOf({ where, order }))
      expect(found).toBe(total)
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'documents')).toEqual(
        [],
      )
    })
  }

  for (const [sort, order] of Object.entries(sorts)) {
    it(`read only the rows of a page: sort ${sort}`, async () => {
      const { nodes } = await planNodes({ ...listOf({ order }), count: false })
      // The result has more rows with the same name or time than the page has rows.
      expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThan(100)
    })
  }

  it.each(['', 'proj/p'])('read only the documents that a filter finds, also under the scope %j', async (above) => {
    const { where, total } = rareInAnyScope
    const { nodes, total: found } = await planNodes({ ...listOf({ where }), scope: above, deep: true })
    expect(found).toBe(total)
    // The part of the plan that reads the whole range is not executed, so it has no rows.
    expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThan(100)
  })

  for (const [sort, order] of Object.entries(sorts)) {
    it(`read only the rows of the last page, and count in an index: sort ${sort}`, async () => {
      const { nodes, total } = await planNodes({ ...listOf({ order, where: notArchived }), offset: count - 20 })
      expect(total).toBe(count)
      expect(maxDocuments(nodes)).toBeLessThan(100)
    })

    it(`read only the first of many rows that a filter finds: sort ${sort}`, async () => {
      const { nodes } = await planNodes(listOf({ order, where: [{ op: 'equals', field: 'tags', value: 'any' }] }))
      const pages = nodes.filter((node) => node['Node Type'] === 'Index Scan')
      expect(pages).not.toEqual([])
      expect(maxDocuments(pages)).toBeLessThan(100)
    })
  }

  it.each(['flag', 'few'])(
    'do not compute the terms of documents to test them, in the collection %s',
    async (collection) => {
      for (const { where } of Object.values(filters)) {
        const { nodes } = await planNodes({ ...listOf({ where, order: sorts.name }), collection })
        expect(nodes.filter((node) => node.Filter?.includes('document_terms'))).toEqual([])
      }
    },
  )

  for (const [filter, { where, total }] of Object.entries(filters)) {
    it(`read only the documents that a filter finds: ${filter}`, async () => {
      const { nodes } = await planNodes({ ...listOf({ where, order: sorts.key }), limit: 0 })
      // For long lists and for parts of texts, the recheck reads a few more rows.
      expect(maxDocuments(nodes)).toBeLessThan(total + 100)
    })
  }

  it('contain no documents that only ingestion reads, and the indexes of lists contain none either', async () => {
    const schema = ownSchema(storages.pool)
    const ownStorage = createPostgresStorage({ pool: storages.pool, schema })
    await ownStorage.migrate()
    const written = (collection: string) =>
      Array.from({ length: 20 }, (_, i): Change => {
        const fields = { name: 'any', createdAt: 1, waitingSince: 1 }
        return { do: 'insert', id: { collection, scope, key: `user-${i}` }, body: {}, fields }
      })
    const collections = ['measured-unit', 'evaluation-report', 'flag']
    await ownStorage.account('acme').commit(collections.flatMap(written))
    await storages.pool.query(`vacuum analyze ${schema}.documents`)
    const { rows } = await storages.pool.query(
      `select relname, reltuples::int from pg_class where relnamespace = '${schema}'::regnamespace
       and relname like 'documents%' and relkind = 'i' order by relname`,
    )
    expect(rows).toEqual([
      { relname: 'documents_by_creation', reltuples: 20 },
      { relname: 'documents_by_fields', reltuples: expect.any(Number) },
      { relname: 'documents_by_name', reltuples: 20 },
      { relname: 'documents_pkey', reltuples: 60 },
    ])
  })

  it('batches of a thousand documents look up each by its key', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => ({ collection: 'segment', scope, key: `key-${i * 7}` }))
    const before = sentStatements.length
    await account.getMany(ids)
    await account.commit(ids.map((id): Change => ({ do: 'replace', id, version: 1, body: {}, fields: {} })))
    await account.commit(ids.map((id): Change => ({ do: 'expect', id, version: 2 })))
    const sent = sentStatements.slice(before)
    expect(sent).toHaveLength(3)
    for (const { text, values } of sent) {
      const { rows } = await storages.pool.query(`explain (format json) ${text}`, values)
      const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'documents')
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    }
  })

  it('a change that keeps the narrow row as it is writes to no index', async () => {
    const id = { collection: 'flag', scope, key: 'key-5' }
    const { items } = await account.list(listOf({ where: [{ op: 'equals', field: 'key', value: 'key-5' }] }))
    const fields = items[0]?.fields ?? {}
    const client = await storages.pool.connect()
    const inTransaction = createPostgresStorage({ pool: storages.pool, schema }).within?.(client).account('acme')
    const replace = async (version: number, changed: Fields) =>
      expect(await inTransaction?.commit([{ do: 'replace', id, version, body: { version }, fields: changed }])).toEqual(
        {
          outcome: 'committed',
          counts: [1],
        },
      )
    // Postgres counts updates that wrote to no index. It makes such updates only on pages with free space.
    const updates = async () =>
      (
        await client.query(`select n_tup_hot_upd::int as hot from pg_stat_xact_user_tables where schemaname = '${schema}'
        and relname = 'documents'`)
      ).rows
    try {
      await client.query('begin')
      for (const version of [1, 2, 3, 4]) await replace(version, { ...fields, name: `Name ${version}` })
      expect(await updates()).toEqual([{ hot: 0 }])
      for (const version of [5, 6, 7, 8]) await replace(version, { ...fields, name: 'Name 4' })
      expect((await updates())[0]?.hot).toBeGreaterThan(0)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('lists of 20,000 documents on SQLite', () => {
  const connection = new Database(':memory:')
  const read: { text: string; values: unknown[] }[] = []
  let account: AccountStorage

  beforeAll(async () => {
    const recording: SqliteConnection = {
      exec: (text: string) => void connection.exec(text),
      prepare(text: string) {
        const statement = connection.prepare(text)
        return {
          all: (...values: unknown[]) => {
            read.push({ text, values })
            return statement.all(...values)
          },
          run: (...values: unknown[]) => statement.run(...values),
        } as ReturnType<SqliteConnection['prepare']>
      },
    } as SqliteConnection
    const storage = createSqliteStorage({ database: recording })
    await storage.migrate()
    account = storage.account('acme')
    await fill(account)
  }, 120_000)
  afterAll(() => void connection.close())

  /** Lists documents, and returns the plans of the statements that read documents. */
  async function plansOf(list: ListQuery) {
    read.length = 0
    const { total } = await account.list(list)
    const statements = read.filter(({ text }) => text.includes('halyard_documents'))
    const plans = statements.map(({ text, values }) => {
      const rows = connection.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[]
      return rows.map(({ detail }) => detail)
    })
    return { plans, total }
  }

  for (const { title, where, order, total } of combinations) {
    it(`use an index: ${title}`, async () => {
      const { plans, total: found } = await plansOf(listOf({ where, order }))
      expect(found).toBe(total)
      expect(plans).toHaveLength(2)
      for (const plan of plans) {
        expect(plan.filter((detail) => /^SCAN (?:d\b|halyard_documents)/.test(detail))).toEqual([])
        // With a filter, documents are read one by one in the order in which the index of terms finds them.
        const search =
          where.length > 0 ? /^SEARCH halyard_documents USING INTEGER PRIMARY KEY/ : /^SEARCH halyard_documents .*INDEX/
        expect(plan).toContainEqual(expect.stringMatching(search))
      }
    })
  }

  for (const [sort, order] of Object.entries(sorts)) {
    it(`read only the rows of a page: sort ${sort}`, async () => {
      const { plans } = await plansOf({ ...listOf({ order }), count: false })
      expect(plans).toHaveLength(1)
      // Only documents with the same name or time are sorted.
      expect(plans[0]).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    })
  }

  it.each(['', 'proj/p'])('read only the documents that a filter finds, also under the scope %j', async (above) => {
    const { where, total } = rareInAnyScope
    const { plans, total: found } = await plansOf({ ...listOf({ where }), scope: above, deep: true })
    expect(found).toBe(total)
    const listing = plans.filter((plan) => plan.some((detail) => detail.includes('halyard_document_terms')))
    expect(listing).toHaveLength(2)
    for (const plan of listing)
      expect(plan).toContainEqual(expect.stringMatching(/^SEARCH halyard_documents USING INTEGER PRIMARY KEY/))
  })

  it('contain no documents that only ingestion reads, which are in no index of lists', async () => {
    const database = new Database(':memory:')
    const ownStorage = createSqliteStorage({ database })
    await ownStorage.migrate()
    const written = (collection: string): Change => ({
      do: 'insert',
      id: { collection, scope, key: 'user-1' },
      body: {},
      fields: { name: 'any', createdAt: 1 },
    })
    const collections = ['measured-unit', 'evaluation-report', 'flag']
    const account = ownStorage.account('acme')
    await account.commit(collections.map(written))
    const terms = database.prepare('select count(*) as n from halyard_document_terms')
    expect(terms.all()).toEqual([{ n: 1 }])
    const indexes = database
      .prepare(`select name, sql like '%where collection not in (%' as partial from sqlite_schema
        where tbl_name = 'halyard_documents' and type = 'index' order by name`)
      .all() as { name: string; partial: number | null }[]
    expect(indexes.filter(({ partial }) => partial !== 1).map(({ name }) => name)).toEqual([
      'halyard_documents_by_scope',
      'halyard_documents_listed',
      'sqlite_autoindex_halyard_documents_1',
    ])
    for (const collection of collections) {
      const order = sorts.name
      const { items } = await account.list({ collection, scope, limit: 9, select: 'fields', order })
      expect(items.map(({ key }) => key)).toEqual(['user-1'])
    }
    database.close()
  })

  it('read the range of the list when a filter finds most of it', async () => {
    const where = [{ op: 'equals', field: 'tags', value: 'any' }] as const
    const { plans, total } = await plansOf(listOf({ where, order: sorts.key }))
    expect(total).toBe(count)
    for (const plan of plans) expect(plan).toContainEqual(expect.stringContaining('halyard_documents_listed'))
  })
})
