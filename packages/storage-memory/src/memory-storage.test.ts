import type { AccountStorage, Change, Fields, Sample } from '@halyard/core/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from './index.ts'

const account = (storage = createMemoryStorage()) => storage.account('acme')
const id = (key: string, scope = '') => ({ collection: 'things', scope, key })
const insert = (key: string, body: unknown = null, fields: Fields = {}): Change => ({
  do: 'insert',
  id: id(key),
  body,
  fields,
})
const set = { name: 'set', scope: '' }
const series = { name: 'series', scope: '' }

// Keys are ASCII, because JavaScript's own order then equals code-point order.
const key = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '0', '~'), minLength: 1, maxLength: 4 })

describe('key order', () => {
  it('is correct after any sequence of additions and removals, whether or not it is read between them', async () => {
    // Up to 200 keys at a time: more than the number up to which keys are inserted one by one.
    const step = fc.record({ remove: fc.boolean(), look: fc.boolean(), keys: fc.array(key, { maxLength: 200 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const storage = account()
        const model = new Set<string>()
        for (const { remove, look: read, keys } of steps) {
          await storage.commit([{ do: remove ? 'remove-keys' : 'add-keys', set, keys }])
          for (const item of keys) remove ? model.delete(item) : model.add(item)
          if (read) expect(await storage.pageKeys(set, { limit: 1000 })).toEqual([...model].sort())
        }
        expect(await storage.pageKeys(set, { limit: 1000 })).toEqual([...model].sort())
      }),
    )
  })

  it('is correct in a list of documents after any sequence of insertions and removals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(key, { maxLength: 90 }), { maxLength: 8 }), async (rounds) => {
        const storage = account()
        const model = new Set<string>()
        for (const keys of rounds) {
          // Removes the existing keys and inserts the missing ones.
          for (const item of keys) {
            const change: Change = model.has(item) ? { do: 'remove', id: id(item), version: 1 } : insert(item)
            expect(await storage.commit([change])).toEqual({ outcome: 'committed', counts: [1] })
            model.delete(item) || model.add(item)
          }
          const descending = [{ field: 'key', type: 'text', descending: true }] as const
          expect(await keysOf(storage)).toEqual([...model].sort())
          expect(await keysOf(storage, descending)).toEqual([...model].sort().reverse())
        }
      }),
    )
  })
})

describe('a series of samples', () => {
  it('returns the same columns in whatever order and batches its samples were appended', async () => {
    const sample = fc.record({
      id: key,
      at: fc.integer({ min: 0, max: 20 }),
      label: fc.constantFrom('web', 'api', 'cli'),
      values: fc.array(fc.option(fc.integer(), { nil: null }), { maxLength: 3 }),
      body: fc.constant(null),
    })
    const batches = fc.array(fc.array(sample, { maxLength: 12 }), { maxLength: 8 })
    const range = fc.record({ from: fc.integer({ min: 0, max: 20 }), to: fc.integer({ min: 0, max: 21 }) })
    await fc.assert(
      fc.asyncProperty(batches, range, async (arrivals, { from, to }) => {
        const storage = account()
        const first = new Map<string, Sample>()
        for (const samples of arrivals) {
          await storage.commit([{ do: 'append', series, samples }])
          for (const item of samples) if (!first.has(item.id)) first.set(item.id, item)
          const sorted = [...first.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
          const inRange = sorted.filter((item) => item.at >= from && item.at < to)
          const scan = await storage.scan({ series, from, to, columns: 3 })
          expect([...scan.at]).toEqual(inRange.map((item) => item.at))
          expect(Array.from(scan.label, (i) => scan.labels[i])).toEqual(inRange.map((item) => item.label))
          for (const [c, column] of scan.values.entries()) {
            expect([...column]).toEqual(inRange.map((item) => item.values[c] ?? NaN))
          }
          expect(await storage.newest({ series, limit: 1000 })).toEqual(sorted.reverse())
        }
      }),
    )
  })
})

describe('stored values', () => {
  it('are returned as the same object, deeply frozen', async () => {
    const storage = account()
    const body = { list: [{ deep: true }], none: null }
    const fields = { tags: ['a'] }
    await storage.commit([insert('a', body, fields)])
    const document = await storage.get(id('a'))
    expect(document?.body).toBe(body)
    for (const item of [document, body, body.list, body.list[0], fields, fields.tags]) {
      expect(Object.isFrozen(item)).toBe(true)
    }
  })

  it('are frozen completely, also inside a part that the caller has frozen', async () => {
    const inner = { x: 1 }
    const innermost = { x: 1 }
    await account().commit([insert('a', Object.freeze({ inner, outer: Object.freeze({ innermost }) }))])
    expect(Object.isFrozen(inner)).toBe(true)
    expect(Object.isFrozen(innermost)).toBe(true)
  })

  it('may share parts with values that were stored before', async () => {
    const storage = account()
    const shared = { list: [1, 2] }
    await storage.commit([insert('a', { shared, n: 1 })])
    await storage.commit([{ do: 'replace', id: id('a'), version: 1, body: { shared, n: 2 }, fields: {} }])
    expect((await storage.get(id('a')))?.body).toEqual({ shared: { list: [1, 2] }, n: 2 })
  })

  it('are not frozen when their batch is refused', async () => {
    const storage = account()
    const body = { open: true }
    await storage.commit([insert('taken')])
    await storage.commit([insert('a', body), insert('taken')])
    expect(Object.isFrozen(body)).toBe(false)
  })

  it('are not stored in part when one of them cannot be frozen', async () => {
    const storage = account()
    const circle: { self?: unknown } = {}
    circle.self = circle
    await expect(storage.commit([insert('a'), insert('b', circle)])).rejects.toThrow(RangeError)
    await expect(storage.commit([insert('a'), insert('b', new Uint8Array(1))])).rejects.toThrow(TypeError)
    expect(await storage.getMany([id('a'), id('b')])).toEqual([undefined, undefined])
  })
})

describe('a snapshot', () => {
  it('restores every account, as often as it is used', async () => {
    const storage = createMemoryStorage()
    const before = await fill(account(storage), 'before')
    const snapshot = storage.snapshot()
    for (let round = 0; round < 2; round++) {
      // Each round uses the same names, so names that one round added must be new again in the next.
      await fill(account(storage), 'after')
      await storage.account('later').commit([insert('a')])
      expect(await contentOf(account(storage))).not.toEqual(before)
      storage.restore(snapshot)
      expect(await contentOf(account(storage))).toEqual(before)
      expect(await storage.account('later').get(id('a'))).toBeUndefined()
    }
  })

  it('does not change when its storage clears and removes', async () => {
    const storage = createMemoryStorage()
    const before = await fill(account(storage), 'before')
    const snapshot = storage.snapshot()
    await account(storage).commit([
      { do: 'remove', id: id('before'), version: 1 },
      { do: 'remove-keys', set, keys: ['before'] },
    ])
    await account(storage).commit([{ do: 'clear', scope: '' }])
    expect(await contentOf(account(storage))).toEqual([[], [], []])
    storage.restore(snapshot)
    expect(await contentOf(account(storage))).toEqual(before)
  })

  it('contains changes that no read has sorted yet', async () => {
    const storage = createMemoryStorage()
    const sample = (name: string, at: number): Sample => ({ id: name, at, label: '', values: [], body: null })
    const add = (name: string, at: number): Change[] => [
      insert(name),
      { do: 'add-keys', set, keys: [name] },
      { do: 'append', series, samples: [sample(name, at)] },
    ]
    // The second sample is older than the first.
    for (const batch of [add('b', 2), add('a', 1)]) await account(storage).commit(batch)
    const snapshot = storage.snapshot()
    await account(storage).commit(add('c', 0))
    expect(await contentOf(account(storage))).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['b', 'a', 'c'],
    ])
    storage.restore(snapshot)
    expect(await contentOf(account(storage))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['b', 'a'],
    ])
  })

  it('can be taken of a storage that was restored', async () => {
    const storage = createMemoryStorage()
    await fill(account(storage), 'one')
    const item = storage.snapshot()
    storage.restore(item)
    const two = await fill(account(storage), 'two')
    const both = storage.snapshot()
    storage.restore(item)
    await fill(account(storage), 'three')
    storage.restore(both)
    expect(await contentOf(account(storage))).toEqual(two)
  })

  it('applies to accounts that were opened before it was restored', async () => {
    const storage = createMemoryStorage()
    const accountBefore = account(storage)
    const snapshot = storage.snapshot()
    await accountBefore.commit([insert('a')])
    storage.restore(snapshot)
    expect(await accountBefore.get(id('a'))).toBeUndefined()
    await accountBefore.commit([insert('b')])
    expect(await keysOf(account(storage))).toEqual(['b'])
  })
})

async function keysOf(storage: AccountStorage, order: Parameters<AccountStorage['list']>[0]['order'] = []) {
  const page = await storage.list({ collection: 'things', scope: '', order, limit: 1000, select: 'fields' })
  return page.items.map((item) => item.key)
}

/** Adds one document, key and sample of the same name, and returns the content afterwards. */
async function fill(storage: AccountStorage, name: string) {
  const sample = { id: name, at: name.length, label: name, values: [], body: null }
  const result = await storage.commit([
    insert(name, name),
    { do: 'add-keys', set, keys: [name] },
    { do: 'append', series, samples: [sample] },
  ])
  expect(result).toEqual({ outcome: 'committed', counts: [1, 1, 1] })
  return contentOf(storage)
}

async function contentOf(storage: AccountStorage) {
  return [
    await keysOf(storage),
    await storage.pageKeys(set, { limit: 1000 }),
    (await storage.newest({ series, limit: 1000 })).map((sample) => sample.id),
  ]
}
