import {
  allOf,
  type Change,
  type Condition,
  type DocumentPage,
  type ListQuery,
  type Order,
} from '@halyard/core/storage'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStorage, type MemoryStorage } from './memory-storage.ts'

const collection = 'item'

/** Number of documents: enough for lists of one scope to have indexes. */
const documents = 900

const idOf = (n: number) => ({ collection, scope: `s${n % 3}`, key: `k${n}` })

const fieldsOf = (name: string, rank: number) => ({ name, rank, tags: [name.slice(0, 1), `r${rank % 3}`] })

/** Returns a storage with the same content and without cached lists. */
function copyOf(storage: MemoryStorage): MemoryStorage {
  const copy = createMemoryStorage()
  copy.restore(storage.snapshot())
  return copy
}

/** Returns a page by examining each document. */
async function listByExamination(storage: MemoryStorage, query: ListQuery): Promise<DocumentPage> {
  const { where, offset = 0, limit, ...all } = query
  const { items } = await storage.account('a').list({ ...all, limit: documents })
  const isMet = allOf(where ?? [])
  const matches = items.filter(({ fields, ...document }) => isMet({ document, fields }))
  return { items: matches.slice(offset, offset + limit), total: matches.length }
}

const names = fc.constantFrom('alpha', 'Alpha', 'beta', 'Beta', 'gamma', 'é', '😀', '')

const orders: fc.Arbitrary<readonly Order[]> = fc.constantFrom<readonly Order[]>(
  [],
  [{ field: 'name', type: 'text' }],
  [{ field: 'name', type: 'text', ignoreCase: true, descending: true }],
  [{ field: 'rank', type: 'number', descending: true }],
  [
    { field: 'rank', type: 'number' },
    { field: 'key', type: 'text', descending: true },
  ],
)

const conditions: fc.Arbitrary<readonly Condition[]> = fc.constantFrom<readonly Condition[]>(
  [],
  [{ op: 'anyOf', field: 'tags', values: ['a', 'r1'] }],
  [{ op: 'contains', in: ['name'], text: 'A' }],
  [{ op: 'contains', in: ['name', 'key'], text: 'LPH' }],
  [{ op: 'contains', in: ['name', 'key'], text: 'beta' }],
  [{ op: 'contains', in: ['name'], text: 'nowhere' }],
  [{ op: 'equals', field: 'name', value: 'Beta' }],
  [{ op: 'anyOf', field: 'key', values: ['k3', 'k31', 'nowhere'] }],
  [
    {
      op: 'and',
      all: [
        { op: 'equals', field: 'tags', value: 'r2' },
        { op: 'contains', in: ['name'], text: 'amm' },
      ],
    },
  ],
  [{ op: 'range', field: 'rank', from: 2, to: 5 }],
)

const queries: fc.Arbitrary<ListQuery> = fc.record({
  collection: fc.constant(collection),
  scope: fc.constantFrom('', 's0', 's1'),
  deep: fc.boolean(),
  where: conditions,
  order: orders,
  offset: fc.nat(10),
  limit: fc.constantFrom(0, 5, 500, 500),
  count: fc.constant(true),
  select: fc.constant('fields' as const),
})

const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: fc.nat(documents - 1), name: names, rank: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(documents - 1) }) },
  { weight: 1, arbitrary: fc.record({ clear: fc.constantFrom('s0', 's2') }) },
  { weight: 1, arbitrary: fc.record({ puts: fc.integer({ min: 200, max: 700 }) }) },
  { weight: 6, arbitrary: fc.record({ list: fc.nat(2) }) },
)

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never

/** Returns the changes of a step, given the versions of the stored documents. */
function changesOf(step: Exclude<Step, { list: unknown }>, versions: Map<string, number>): Change[] {
  const put = (n: number, name: string, rank: number): Change => {
    const id = idOf(n)
    const version = versions.get(id.key)
    versions.set(id.key, (version ?? 0) + 1)
    const content = { id, body: { n }, fields: fieldsOf(name, rank) }
    return version === undefined ? { do: 'insert', ...content } : { do: 'replace', version, ...content }
  }
  if ('put' in step) return [put(step.put, step.name, step.rank)]
  if ('puts' in step) return Array.from({ length: step.puts }, (_, i) => put(i % documents, `n${i}`, i % 7))
  if ('clear' in step) {
    for (const key of versions.keys()) if (`s${Number(key.slice(1)) % 3}` === step.clear) versions.delete(key)
    return [{ do: 'clear', scope: step.clear }]
  }
  const id = idOf(step.remove)
  const version = versions.get(id.key)
  versions.delete(id.key)
  return version === undefined ? [] : [{ do: 'remove', id, version }]
}

test('after any changes, a list that was read before equals one that is read for the first time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(queries, queries, queries),
      fc.array(steps, { minLength: 5, maxLength: 60 }),
      async (lists, all) => {
        const storage = createMemoryStorage()
        const account = storage.account('a')
        const versions = new Map<string, number>()
        await account.commit(changesOf({ puts: documents }, versions))
        for (const step of all) {
          if ('list' in step) {
            const query = lists[step.list]!
            expect(await account.list(query)).toEqual(await listByExamination(copyOf(storage), query))
          } else {
            expect((await account.commit(changesOf(step, versions))).outcome).toBe('committed')
          }
        }
      },
    ),
    { numRuns: process.env.HALYARD_LONG_TESTS ? 120 : 30 },
  )
})

test('a list that is being sorted includes documents that are committed before the sort ends, and lets other work run', async () => {
  const storage = createMemoryStorage()
  const account = storage.account('a')
  const records = Array.from({ length: 60_000 }, (_, n) => ({
    kind: 'document' as const,
    id: { collection, scope: 's0', key: `k${n}` },
    version: 1,
    body: { n },
    fields: fieldsOf(`name ${(n * 7919) % 60_000}`, n % 5),
  }))
  await account.commit([{ do: 'load', records }])
  const query: ListQuery = {
    collection,
    scope: 's0',
    order: [{ field: 'name', type: 'text' }],
    // A longer page would also be listed in steps.
    limit: 4_000,
    count: true,
    select: 'fields',
  }
  let done = false
  const list = account.list(query).finally(() => {
    done = true
  })
  let turns = 0
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve))
    if (done) break
    turns++
    await account.commit(
      Array.from({ length: 300 }, (_, i) => ({
        do: 'insert' as const,
        id: { collection, scope: 's0', key: `new ${turns} ${i}` },
        body: {},
        fields: fieldsOf(`name ${turns}`, i),
      })),
    )
  }
  expect(turns).toBeGreaterThan(3)
  expect((await list).total).toBe(60_000 + 300 * turns)
  expect(await list).toEqual(await copyOf(storage).account('a').list(query))
})
