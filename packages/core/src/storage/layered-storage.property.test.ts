import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layeredStorage } from './layered-storage.ts'
import type { AccountStorage, Change, Condition, ListQuery, Order } from './port.ts'

const keys = ['a', 'b', 'c', 'd']
const scopes = ['s:1', 's:2', 's:2:x:1']
const id = fc.record({
  collection: fc.constant('notes'),
  scope: fc.constantFrom(...scopes),
  key: fc.constantFrom(...keys),
})
const content = fc.nat({ max: 3 }).map((size) => ({ body: { size }, fields: { size } }))
const set = fc.record({ name: fc.constantFrom('one', 'two'), scope: fc.constantFrom(...scopes) })
const elements = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 })
const version = fc.nat({ max: 3 })

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(id, content).map(([each, other]): Change => ({ do: 'insert', id: each, ...other })),
  fc.tuple(id, content).map(([each, other]): Change => ({ do: 'ensure', id: each, ...other })),
  fc
    .tuple(id, version, content)
    .map(([each, at, other]): Change => ({ do: 'replace', id: each, version: at, ...other })),
  fc.tuple(id, version).map(([each, at]): Change => ({ do: 'remove', id: each, version: at })),
  id.map((each): Change => ({ do: 'discard', id: each })),
  fc.constantFrom(...scopes).map((scope): Change => ({ do: 'clear', scope })),
  fc.tuple(fc.constantFrom(...scopes), fc.nat({ max: 3 })).map(([scope, value]): Change => {
    return { do: 'discard-all', collection: 'notes', scope, where: [{ op: 'equals', field: 'size', value }] }
  }),
  fc.tuple(set, elements).map(([each, list]): Change => ({ do: 'add-keys', set: each, keys: list })),
  fc.tuple(set, elements).map(([each, list]): Change => ({ do: 'remove-keys', set: each, keys: list })),
)

const query: fc.Arbitrary<ListQuery> = fc.record({
  collection: fc.constant('notes'),
  scope: fc.constantFrom('s:1', 's:2'),
  deep: fc.boolean(),
  where: fc.constantFrom<readonly Condition[]>([], [{ op: 'range', field: 'size', from: 1, to: 3 }]),
  order: fc.constantFrom<readonly Order[]>([], [{ field: 'size', type: 'number', descending: true }]),
  limit: fc.nat({ max: 4 }),
  offset: fc.nat({ max: 3 }),
  count: fc.boolean(),
  select: fc.constant('bodies'),
})

/** Returns all that the reads of a storage return. */
async function stateOf(storage: AccountStorage, queries: readonly ListQuery[]) {
  const sets = ['one', 'two'].flatMap((name) => scopes.map((scope) => ({ name, scope })))
  const ids = scopes.flatMap((scope) => keys.map((key) => ({ collection: 'notes', scope, key })))
  return {
    documents: await storage.getMany(ids),
    lists: await Promise.all(queries.map((each) => storage.list(each))),
    pages: await Promise.all(sets.map((each) => storage.pageKeys(each, { limit: 2, after: 'x' }))),
    counts: await Promise.all(sets.map((each) => storage.countKeys(each, sets[0]))),
    has: await Promise.all(sets.map((each) => storage.hasKey(each, 'y'))),
  }
}

it('a layered storage returns the outcomes and reads of a storage with the same commits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 8 }),
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      async (before, batches, queries) => {
        const [stored, copy] = [createMemoryStorage().account('a'), createMemoryStorage().account('a')]
        for (const each of before) for (const storage of [stored, copy]) await storage.commit([each])
        const unchanged = await stateOf(stored, queries)
        const layer = layeredStorage(stored)
        for (const batch of batches) {
          const [layered, real] = [await layer.storage.commit(batch), await copy.commit(batch)]
          expect(layered.outcome).toBe(real.outcome)
          expect(await stateOf(layer.storage, queries)).toEqual(await stateOf(copy, queries))
        }
        expect(await stateOf(stored, queries)).toEqual(unchanged)
        expect(await stored.commit(layer.changes)).toMatchObject({ outcome: 'committed' })
        expect(await stateOf(stored, queries)).toEqual(await stateOf(copy, queries))
      },
    ),
    { numRuns: 300 },
  )
})
