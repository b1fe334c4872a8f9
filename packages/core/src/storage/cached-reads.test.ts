import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { cachedReads } from './cached-reads.ts'
import { Invalidator } from './dependency-cache.ts'
import type { AccountStorage, Change, CommitOutcome, DocumentId, StoredDocument } from './port.ts'
import type { StorageReads } from './reads.ts'
import { laggingStorage } from './test/lagging-storage.ts'

const refusal = new Error('refused')
const place = (key: string, scope = 'proj/p'): DocumentId => ({ collection: 'note', scope, key })
const insert = (id: DocumentId, body: unknown = { text: 'first' }): Change => ({ do: 'insert', id, body, fields: {} })
const set = { name: 'marks', scope: 'proj/p' }
const page = { collection: 'note', scope: 'proj/p', limit: 10, select: 'bodies' } as const

/** Cached reads over a shared storage that has one note. */
async function cachedNote(
  capacity = 100_000,
  wrap: (storage: AccountStorage) => AccountStorage = (storage) => storage,
) {
  const memory = createMemoryStorage()
  const shared = laggingStorage(memory)
  const storage = wrap(shared.account('a'))
  const others = memory.account('a')
  await others.commit([insert(place('n'))])
  const invalidator = new Invalidator(storage)
  const cached = cachedReads(storage, invalidator, { capacity, isRefusal: (error) => error === refusal })
  const { reads } = cached
  const stats = () => cached.stats()
  const textOf = async (id: DocumentId) => ((await reads.get(id))?.body as { text: string } | undefined)?.text
  const commit = async (batch: readonly Change[]): Promise<CommitOutcome> => {
    const outcomes: CommitOutcome[] = []
    await cached.attempt(async (_, commitBatch) => outcomes.push(await commitBatch(batch)), {
      attempts: 1,
      repeatable: false,
    })
    return outcomes[0] as CommitOutcome
  }
  return { cached, reads, commit, stats, invalidator, others, shared, textOf }
}

const change = (version: number, text: string, id = place('n')): Change => ({
  do: 'replace',
  id,
  version,
  body: { text },
  fields: {},
})

describe('a cached read', () => {
  it('is not sent to the storage again: documents, lists and counts', async () => {
    const { reads, shared, stats } = await cachedNote()
    for (let time = 0; time < 3; time++) {
      expect(await reads.get(place('n'))).toMatchObject({ key: 'n', version: 1, body: { text: 'first' } })
      expect((await reads.list(page)).items).toHaveLength(1)
      expect(await reads.countKeys(set)).toBe(0)
    }
    expect(shared.asked.filter((verb) => verb !== 'watch')).toEqual(['getMany', 'list', 'countKeys'])
    expect(stats()).toMatchObject({ hits: 6, misses: 3, entries: 3 })
  })

  it('is completed by one request for all missing documents', async () => {
    const { reads, others, shared } = await cachedNote()
    await others.commit([insert(place('m'))])
    await reads.get(place('n'))
    const found = await reads.getMany([place('m'), place('n'), place('none'), place('m')])
    expect(found.map((document) => document?.key)).toEqual(['m', 'n', undefined, 'm'])
    expect(shared.asked.filter((verb) => verb === 'getMany')).toHaveLength(2)
  })

  it('returns a frozen document', async () => {
    const { reads } = await cachedNote()
    const found = (await reads.get(place('n'))) as StoredDocument
    expect(() => Object.assign(found.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('of a document that does not exist is not cached', async () => {
    const { reads, others, shared } = await cachedNote()
    shared.delay()
    expect(await reads.get(place('new'))).toBeUndefined()
    await others.commit([insert(place('new'))])
    expect(await reads.get(place('new'))).toMatchObject({ version: 1 })
  })

  it('of a document that does not exist is cached for attempts, which are repeated when they are refused', async () => {
    const { cached, others, shared } = await cachedNote()
    const read = async (reads: StorageReads) => (await reads.get(place('new'))) ?? Promise.reject(refusal)
    const options = { attempts: 1, repeatable: true }
    await expect(cached.attempt(read, options)).rejects.toBe(refusal)
    shared.delay()
    await others.commit([insert(place('new'))])
    shared.asked.length = 0
    expect(await cached.attempt(read, options)).toMatchObject({ version: 1 })
    expect(shared.asked).toEqual(['get'])
    shared.arrive()
    expect(await cached.attempt(read, options)).toMatchObject({ version: 1 })
  })

  it('is invalidated by every change that concerns it', async () => {
    const { reads, others, textOf } = await cachedNote()
    const inner = place('n', 'proj/p:env/e')
    await others.commit([insert(inner)])
    const deep = { ...page, scope: '', deep: true } as const
    const keys = async (query: typeof page | typeof deep) => (await reads.list(query)).items.length
    expect([await textOf(place('n')), await keys(page), await keys(deep)]).toEqual(['first', 1, 2])
    await others.commit([change(1, 'second')])
    expect([await textOf(place('n')), await textOf(inner)]).toEqual(['second', 'first'])
    await others.commit([change(1, 'deeper', inner), insert(place('m'))])
    expect([await textOf(inner), await keys(page), await keys(deep)]).toEqual(['deeper', 2, 3])
    await others.commit([{ do: 'discard-all', collection: 'note', scope: 'proj/p:env/e', where: [] }])
    expect([await textOf(inner), await keys(page), await keys(deep)]).toEqual([undefined, 2, 2])
    await others.commit([{ do: 'add-members', set, members: ['x'] }])
    expect(await reads.countKeys(set)).toBe(1)
    await others.commit([{ do: 'clear', scope: 'proj' }])
    expect(await keys(page)).toBe(2)
    await others.commit([{ do: 'clear', scope: 'proj/p' }])
    expect([await textOf(place('n')), await keys(page), await keys(deep)]).toEqual([undefined, 0, 0])
    expect(await reads.countKeys(set)).toBe(0)
  })

  it('stays cached when something else changes', async () => {
    const { reads, others, shared } = await cachedNote()
    await reads.get(place('n'))
    await others.commit([insert(place('other')), insert(place('n', 'proj/p2')), { do: 'clear', scope: 'proj/p:env/e' }])
    shared.asked.length = 0
    await reads.get(place('n'))
    expect(shared.asked).toEqual([])
  })

  it('is not used after `invalidateAll`, nor while the storage cannot report changes', async () => {
    const { invalidator, others, shared, textOf } = await cachedNote()
    shared.delay()
    expect(await textOf(place('n'))).toBe('first')
    await others.commit([change(1, 'second')])
    expect(await textOf(place('n'))).toBe('first')
    shared.connected = false
    expect(await textOf(place('n'))).toBe('second')
    shared.connected = true
    invalidator.invalidateAll()
    expect(await textOf(place('n'))).toBe('second')
    await others.commit([change(2, 'third')])
    await invalidator.stop()
    expect(await textOf(place('n'))).toBe('third')
  })

  it('takes at most the capacity, and one value at most a sixteenth of it', async () => {
    const { reads, others, stats } = await cachedNote(20_000)
    const text = 'x'.repeat(100)
    for (let i = 0; i < 50; i++) {
      await others.commit([insert(place(`k${i}`), { text })])
      await reads.get(place(`k${i}`))
    }
    expect(stats().size).toBeLessThanOrEqual(20_000)
    expect(stats().entries).toBeGreaterThan(10)
    await others.commit([insert(place('long'), { text: 'x'.repeat(600) })])
    const { misses } = stats()
    await reads.get(place('long'))
    await reads.get(place('long'))
    expect(stats().misses).toBe(misses + 2)
  })

  it('counts the size of a cached absence, which is more than that of its name', async () => {
    const { cached, stats } = await cachedNote(20_000)
    const readAbsent = async (reads: StorageReads) => {
      for (let i = 0; i < 100; i++) await reads.get(place(`k${i}`))
      return true
    }
    await cached.attempt(readAbsent, { attempts: 1, repeatable: true })
    expect(stats().entries).toBeGreaterThan(10)
    expect(stats().entries).toBeLessThan(40)
  })

  it('is not cached without capacity, without change reports, or where the storage is in this process', async () => {
    const watchless = ({ watch: _, ...storage }: AccountStorage): AccountStorage => storage
    const here = (storage: AccountStorage): AccountStorage => ({ ...storage, immediate: true })
    const cachedEntries = async ({ stats, textOf }: Awaited<ReturnType<typeof cachedNote>>) => {
      await textOf(place('n'))
      return stats().entries
    }
    expect(await cachedEntries(await cachedNote(0))).toBe(0)
    expect(await cachedEntries(await cachedNote(100_000, watchless))).toBe(0)
    expect(await cachedEntries(await cachedNote(100_000, here))).toBe(0)
    expect(await cachedEntries(await cachedNote())).toBe(1)
  })
})

describe('a committed document', () => {
  it('is cached as the storage returns it', async () => {
    const { reads, commit, shared } = await cachedNote()
    await commit([
      insert(place('m'), { text: 'new', none: undefined }),
      { do: 'replace', id: place('n'), version: 1, body: { text: 'second', list: [undefined] }, fields: {} },
    ])
    const found = await reads.getMany([place('m'), place('n')])
    expect(shared.asked).not.toContain('getMany')
    const stored = await shared.account('a').getMany([place('m'), place('n')])
    expect(found).toStrictEqual(JSON.parse(JSON.stringify(stored)))
    expect(found.map((document) => document?.version)).toEqual([1, 2])
    expect(() => Object.assign(found[1]?.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('is invalidated by the next change of any process', async () => {
    const { commit, others, textOf } = await cachedNote()
    await commit([change(1, 'second')])
    await commit([change(2, 'third')])
    expect(await textOf(place('n'))).toBe('third')
    await others.commit([change(3, 'fourth')])
    expect(await textOf(place('n'))).toBe('fourth')
    await commit([{ do: 'remove', id: place('n'), version: 4 }])
    expect(await textOf(place('n'))).toBeUndefined()
  })

  it('is not cached when its batch is refused', async () => {
    const { commit, textOf, stats } = await cachedNote()
    expect((await commit([insert(place('m')), change(7, 'never')])).outcome).toBe('conflict')
    expect(stats().entries).toBe(0)
    expect(await textOf(place('n'))).toBe('first')
    expect(await textOf(place('m'))).toBeUndefined()
  })

  it.each([
    ['is reported before the commit resolves', false],
    ['is reported afterwards', true],
  ])('is replaced by what another process writes right after it, which %s', async (_, late) => {
    let others: AccountStorage | undefined
    const overtaken = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        await others?.commit([change(2, 'of another')])
        return result
      },
    })
    const processes = await cachedNote(100_000, overtaken)
    others = processes.others
    if (late) processes.shared.delay()
    await processes.commit([change(1, 'second')])
    if (late) expect(await processes.textOf(place('n'))).toBe('second')
    processes.shared.arrive()
    expect(await processes.textOf(place('n'))).toBe('of another')
  })

  it('is not cached when the outcome of its commit is unknown, nor as part of a long batch', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        if (broken) throw new Error('cut off')
        return result
      },
    })
    const { commit, stats } = await cachedNote(100_000, failing)
    await expect(commit([change(1, 'second')])).rejects.toThrow('cut off')
    expect(stats().entries).toBe(0)
    broken = false
    await commit(Array.from({ length: 101 }, (_, i) => insert(place(`k${i}`))))
    expect(stats().entries).toBe(0)
  })
})

describe('a read that was under way when something changed', () => {
  it.each(['reported before it ends', 'reported at once'])('is not cached: %s', async (when) => {
    let respond = () => {}
    const slow = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async getMany(ids) {
        const found = await storage.getMany(ids)
        await new Promise<void>((resolve) => (respond = resolve))
        return found
      },
    })
    const { others, shared, textOf } = await cachedNote(100_000, slow)
    if (when === 'reported before it ends') shared.delay()
    const first = textOf(place('n'))
    await Promise.resolve()
    await others.commit([change(1, 'second')])
    shared.arrive()
    respond()
    // The read began before the change, so either text would be right; the next read must see the change.
    expect(await first).toBe('first')
    const next = textOf(place('n'))
    await Promise.resolve()
    respond()
    expect(await next).toBe('second')
  })

  it('leaves no entry when it fails', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      getMany: (ids) => (broken ? Promise.reject(new Error('down')) : storage.getMany(ids)),
      list: (query) => (broken ? Promise.reject(new Error('down')) : storage.list(query)),
    })
    const { reads, stats } = await cachedNote(100_000, failing)
    await expect(reads.getMany([place('n')])).rejects.toThrow('down')
    await expect(reads.list(page)).rejects.toThrow('down')
    broken = false
    expect((await reads.list(page)).items).toHaveLength(1)
    expect(stats().entries).toBe(1)
  })
})
