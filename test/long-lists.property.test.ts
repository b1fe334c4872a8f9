import type { Condition, Fields, ListQuery, Order, Storage, StoredRecord } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import fc from 'fast-check'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { ownSchema } from './setup/own-schema.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

/** More documents than both thresholds of list-statement.ts, above which a page is read in another way. */
const large = 12_000

/** Number of documents of each scope. */
const sizes: Readonly<Record<string, number>> = { 'proj/large': large, 'proj/small': 300 }

const postgres = postgresStorages()
afterAll(() => postgres.dispose())

function documents(scope: string, count: number): StoredRecord[] {
  return Array.from({ length: count }, (_, i): StoredRecord => {
    const fields: Record<string, Fields[string]> = {
      name: i % 5 === 0 ? null : `${i % 2 ? 'Flag' : 'flag'} ${(i * 7919) % count}`,
      tags: i % 1000 === 1 ? ['rare', 'any'] : ['any'],
      state: i % 97 === 0 ? 'archived' : 'live',
      temporary: i % 3 === 0,
      createdAt: 1_700_000_000_000 + ((i * 104_729) % 5_000),
    }
    return { kind: 'document', id: { collection: 'flag', scope, key: `key-${i}` }, version: 1, body: { i }, fields }
  })
}

async function filled(storage: Storage) {
  await storage.migrate?.()
  const account = storage.account('acme')
  for (const [scope, count] of Object.entries(sizes)) {
    await account.commit([{ do: 'load', records: documents(scope, count) }])
  }
  return account
}

const archived: Condition = { op: 'equals', field: 'state', value: 'archived' }
const conditions: readonly Condition[] = [
  archived,
  { op: 'equals', field: 'tags', value: 'any' },
  { op: 'equals', field: 'tags', value: 'rare' },
  { op: 'anyOf', field: 'state', values: ['live', 'none'] },
  { op: 'equals', field: 'temporary', value: true },
  { op: 'contains', in: ['key', 'name'], text: 'flag 12' },
  { op: 'anyOf', field: 'key', values: ['key-1', 'key-97', 'key-194', 'none'] },
  { op: 'range', field: 'createdAt', from: 1_700_000_002_000 },
]

const condition = fc.oneof(
  { arbitrary: fc.constantFrom(...conditions), weight: 1 },
  { arbitrary: fc.constantFrom(...conditions).map((each): Condition => ({ op: 'not', condition: each })), weight: 2 },
  {
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...conditions), { maxLength: 2 })
      .map((any): Condition => ({ op: 'or', any })),
    weight: 1,
  },
)

const criterion = fc.record({
  sort: fc.constantFrom<Order>(
    { field: 'name', type: 'text', ignoreCase: true },
    { field: 'key', type: 'text' },
    { field: 'createdAt', type: 'number' },
    { field: 'temporary', type: 'boolean' },
    { field: 'tags', type: 'texts' },
  ),
  descending: fc.boolean(),
})

const listQuery = fc
  .record({
    scope: fc.constantFrom(...Object.keys(sizes), 'proj/none'),
    where: fc.array(condition, { maxLength: 2 }),
    order: fc.array(criterion, { maxLength: 2 }),
    /** The offset, percent of the total. */
    place: fc.integer({ min: 0, max: 105 }),
    limit: fc.constantFrom(0, 1, 7, 20),
    count: fc.boolean(),
  })
  .map(({ order, ...list }) => ({
    ...list,
    order: order.map(({ sort, descending }): Order => ({ ...sort, descending })),
  }))

describe.each<[string, () => Promise<Storage>]>([
  ['Postgres', async () => createPostgresStorage({ pool: postgres.pool, schema: ownSchema(postgres.pool) })],
  ['SQLite', async () => createSqliteStorage({ database: new Database(':memory:') })],
])('pages of 12,000 documents on %s', (_, open) => {
  it('are those of the memory storage, for any filter, order and offset', async () => {
    const memory = await filled(createMemoryStorage())
    const storage = await open()
    const account = await filled(storage)
    await fc.assert(
      fc.asyncProperty(listQuery, async ({ place, ...query }) => {
        const matching = { ...query, collection: 'flag', select: 'bodies' } as const
        const { total = 0 } = await memory.list({ ...matching, limit: 0, count: true })
        const list: ListQuery = { ...matching, offset: Math.floor((place * total) / 100) }
        expect(await account.list(list)).toEqual(await memory.list(list))
      }),
      { numRuns: 150 },
    )
    await storage.close?.()
  }, 120_000)
})
