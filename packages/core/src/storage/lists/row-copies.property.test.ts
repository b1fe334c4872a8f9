import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pauses } from '../../platform.ts'
import { cachedReads } from '../cached-reads.ts'
import { CacheSpace, Invalidator } from '../dependency-cache.ts'
import type { Change, Condition, ListQuery, Order } from '../port.ts'
import { laggingStorage } from '../test/lagging-storage.ts'

const collection = 'note'
const documents = 300

const idOf = (n: number) => ({ collection, scope: `proj/${n % 2}`, key: `k${n}` })

const orders: readonly (readonly Order[])[] = [
  [],
  [{ field: 'name', type: 'text', ignoreCase: true }],
  [
    { field: 'rank', type: 'number', descending: true },
    { field: 'name', type: 'text' },
  ],
]

const conditions: readonly (readonly Condition[])[] = [
  [],
  [{ op: 'equals', field: 'name', value: 'Beta' }],
  [{ op: 'contains', in: ['name', 'key'], text: 'K1' }],
  [{ op: 'range', field: 'rank', from: 2 }],
]

const queries: fc.Arbitrary<ListQuery> = fc.record({
  collection: fc.constant(collection),
  scope: fc.constantFrom('proj/0', 'proj/1'),
  where: fc.constantFrom(...conditions),
  order: fc.constantFrom(...orders),
  offset: fc.nat(400),
  limit: fc.constantFrom(0, 5, 1000),
  count: fc.boolean(),
  select: fc.constantFrom('fields', 'bodies'),
})

const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.nat(2 * documents), name: fc.constantFrom('alpha', 'Beta', 'é') }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(2 * documents) }) },
  { weight: 1, arbitrary: fc.record({ puts: fc.constantFrom<number>(3, 1_200) }) },
  { weight: 1, arbitrary: fc.record({ clear: fc.constantFrom('proj/0', 'proj/1') }) },
  { weight: 8, arbitrary: fc.record({ list: queries }) },
)

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never

/** Returns the changes of a step, given the versions of the stored documents. */
function changesOf(step: Exclude<Step, { list: unknown }>, versions: Map<string, number>): Change[] {
  const put = (n: number, name: string): Change => {
    const id = idOf(n)
    const version = versions.get(id.key)
    versions.set(id.key, (version ?? 0) + 1)
    const content = { id, body: { n, name }, fields: { name, rank: n % 5 } }
    return version === undefined ? { do: 'insert', ...content } : { do: 'replace', version, ...content }
  }
  if ('put' in step) return [put(step.put, step.name)]
  if ('puts' in step) return Array.from({ length: step.puts }, (_, n) => put(n, `name ${n}`))
  if ('clear' in step) {
    for (const key of versions.keys()) if (`proj/${Number(key.slice(1)) % 2}` === step.clear) versions.delete(key)
    return [{ do: 'clear', scope: step.clear }]
  }
  const id = idOf(step.remove)
  const version = versions.get(id.key)
  versions.delete(id.key)
  return version === undefined ? [] : [{ do: 'remove', id, version }]
}

it('after any changes by this process and by others, a list of copied rows equals the list of the storage', async () => {
  let copiedLists = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(steps, fc.boolean()), { minLength: 10, maxLength: 60 }), async (all) => {
      const memory = createMemoryStorage()
      const shared = laggingStorage(memory)
      const storage = shared.account('a')
      const cached = cachedReads(storage, new Invalidator(storage), {
        space: new CacheSpace(10_000_000),
        isRefusal: () => false,
        pauses,
      })
      const commitHere = (batch: readonly Change[]) => cached.run(({ commit }) => commit(batch), { repeatable: false })
      const versions = new Map<string, number>()
      const firstQuery = { collection, select: 'fields', count: true, limit: 1 } as const
      await commitHere(changesOf({ puts: 2 * documents }, versions))
      // The third of these lists of each scope starts a copy.
      for (const offset of [0, 1, 2])
        for (const scope of ['proj/0', 'proj/1']) await cached.reads.list({ ...firstQuery, scope, offset })
      for (const [step, here] of all) {
        if ('list' in step) {
          const before = shared.calls.length
          expect(await cached.reads.list(step.list)).toEqual(await memory.account('a').list(step.list))
          const calls = shared.calls.slice(before)
          if (!calls.includes('list')) copiedLists++
        } else {
          const changes = changesOf(step, versions)
          if (here) await commitHere(changes)
          else await memory.account('a').commit(changes)
        }
      }
    }),
    { numRuns: process.env.HALYARD_LONG_TESTS ? 200 : 40 },
  )
  // Otherwise the property would compare the storage with itself.
  expect(copiedLists).toBeGreaterThan(100)
})
