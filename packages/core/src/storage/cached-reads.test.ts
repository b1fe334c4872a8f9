import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { pauses } from '../platform.ts'
import { cachedReads, type RunStorage } from './cached-reads.ts'
import { CacheSpace, Invalidator } from './dependency-cache.ts'
import type { AccountStorage, Change, CommitOutcome, DocumentId, StoredDocument } from './port.ts'
import { laggingStorage } from './test/lagging-storage.ts'

const refusedError = new Error('refused')
const noteId = (key: string, scope = 'proj/p'): DocumentId => ({ collection: 'note', scope, key })
const insert = (id: DocumentId, body: unknown = { text: 'first' }): Change => ({ do: 'insert', id, body, fields: {} })
const set = { name: 'marks', scope: 'proj/p' }
const page = { collection: 'note', scope: 'proj/p', limit: 10, select: 'bodies' } as const

/** Returns cached reads over a shared storage that has one note. */
async function cachedNote(
  capacity = 100_000,
  wrap: (storage: AccountStorage) => AccountStorage = (storage) => storage,
) {
  const memory = createMemoryStorage()
  const shared = laggingStorage(memory)
  const storage = wrap(shared.account('a'))
  const otherProcess = memory.account('a')
  await otherProcess.commit([insert(noteId('n'))])
  const invalidator = new Invalidator(storage)
  const cached = cachedReads(storage, invalidator, {
    space: new CacheSpace(capacity),
    isRefusal: (error) => error === refusedError,
    pauses,
  })
  const { reads } = cached
  const stats = () => cached.stats()
  const textOf = async (id: DocumentId) => ((await reads.get(id))?.body as { text: string } | undefined)?.text
  const commit = async (batch: readonly Change[]): Promise<CommitOutcome> => {
    const outcomes: CommitOutcome[] = []
    await cached.run(async ({ commit }) => outcomes.push(await commit(batch)), { repeatable: false })
    return outcomes[0] as CommitOutcome
  }
  return { cached, reads, commit, stats, invalidator, others: otherProcess, shared, textOf }
}

const change = (version: number, text: string, id = noteId('n')): Change => ({
  do: 'replace',
  id,
  version,
  body: { text },
  fields: {},
})

describe('cached reads', () => {
  it('send the same read of a document, list or count to the storage once', async () => {
    const { reads, shared, stats } = await cachedNote()
    for (let time = 0; time < 3; time++) {
      expect(await reads.get(noteId('n'))).toMatchObject({ key: 'n', version: 1, body: { text: 'first' } })
      expect((await reads.list(page)).items).toHaveLength(1)
      expect(await reads.countKeys(set)).toBe(0)
    }
    expect(shared.calls.filter((verb) => verb !== 'watch')).toEqual(['getMany', 'list', 'countKeys'])
    expect(stats()).toMatchObject({ hits: 6, misses: 3, entries: 3 })
  })

  it('come from a replica where one exists, except for writing calls and before a refusal', async () => {
    const replica = createMemoryStorage().account('a')
    await replica.commit([insert(noteId('n'), { text: 'on the replica' })])
    const { cached, textOf } = await cachedNote(100_000, (storage) => ({ ...storage, recent: replica }))
    expect(await textOf(noteId('n'))).toBe('on the replica')
    const texts: unknown[] = []
    await cached.run(
      async ({ reads }) => {
        texts.push((await reads.list(page)).items.map(({ body }) => body))
        return true
      },
      { repeatable: false },
    )
    await cached.decide(async (reads) => {
      const { body } = (await reads.get(noteId('n'))) as StoredDocument
      texts.push(body)
      if ((body as { text: string }).text === 'on the replica') throw refusedError
    })
    expect(texts).toEqual([[{ text: 'first' }], { text: 'on the replica' }, { text: 'first' }])
  })

  it('request all documents that are missing in the cache by one query', async () => {
    const { reads, others: otherProcess, shared } = await cachedNote()
    await otherProcess.commit([insert(noteId('m'))])
    await reads.get(noteId('n'))
    const documents = await reads.getMany([noteId('m'), noteId('n'), noteId('none'), noteId('m')])
    expect(documents.map((document) => document?.key)).toEqual(['m', 'n', undefined, 'm'])
    expect(shared.calls.filter((verb) => verb === 'getMany')).toHaveLength(2)
  })

  it('return a frozen document', async () => {
    const { reads } = await cachedNote()
    const documents = (await reads.get(noteId('n'))) as StoredDocument
    expect(() => Object.assign(documents.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('do not cache the absence of a document', async () => {
    const { reads, others: otherProcess, shared } = await cachedNote()
    shared.delay()
    expect(await reads.get(noteId('new'))).toBeUndefined()
    await otherProcess.commit([insert(noteId('new'))])
    expect(await reads.get(noteId('new'))).toMatchObject({ version: 1 })
  })

  it('cache the absence of a document for writing calls, which run again when they are refused', async () => {
    const { cached, others: otherProcess, shared } = await cachedNote()
    const read = async ({ reads }: RunStorage) => (await reads.get(noteId('new'))) ?? Promise.reject(refusedError)
    const options = { repeatable: true }
    await expect(cached.run(read, options)).rejects.toBe(refusedError)
    shared.delay()
    await otherProcess.commit([insert(noteId('new'))])
    shared.calls.length = 0
    expect(await cached.run(read, options)).toMatchObject({ version: 1 })
    expect(shared.calls).toEqual(['get'])
    shared.arrive()
    expect(await cached.run(read, options)).toMatchObject({ version: 1 })
  })

  it('are invalidated by every change of the record read', async () => {
    const { reads, others: otherProcess, textOf } = await cachedNote()
    const inner = noteId('n', 'proj/p:env/e')
    await otherProcess.commit([insert(inner)])
    const deep = { ...page, scope: '', deep: true } as const
    const keys = async (query: typeof page | typeof deep) => (await reads.list(query)).items.length
    expect([await textOf(noteId('n')), await keys(page), await keys(deep)]).toEqual(['first', 1, 2])
    await otherProcess.commit([change(1, 'second')])
    expect([await textOf(noteId('n')), await textOf(inner)]).toEqual(['second', 'first'])
    await otherProcess.commit([change(1, 'deeper', inner), insert(noteId('m'))])
    expect([await textOf(inner), await keys(page), await keys(deep)]).toEqual(['deeper', 2, 3])
    await otherProcess.commit([{ do: 'discard-all', collection: 'note', scope: 'proj/p:env/e', where: [] }])
    expect([await textOf(inner), await keys(page), await keys(deep)]).toEqual([undefined, 2, 2])
    await otherProcess.commit([{ do: 'add-keys', set, keys: ['x'] }])
    expect(await reads.countKeys(set)).toBe(1)
    await otherProcess.commit([{ do: 'clear', scope: 'proj' }])
    expect(await keys(page)).toBe(2)
    await otherProcess.commit([{ do: 'clear', scope: 'proj/p' }])
    expect([await textOf(noteId('n')), await keys(page), await keys(deep)]).toEqual([undefined, 0, 0])
    expect(await reads.countKeys(set)).toBe(0)
  })

  it('stay cached when another record changes', async () => {
    const { reads, others: otherProcess, shared } = await cachedNote()
    await reads.get(noteId('n'))
    await otherProcess.commit([
      insert(noteId('other')),
      insert(noteId('n', 'proj/p2')),
      { do: 'clear', scope: 'proj/p:env/e' },
    ])
    shared.calls.length = 0
    await reads.get(noteId('n'))
    expect(shared.calls).toEqual([])
  })

  it('are not used after `invalidateAll`, nor while the storage cannot report changes', async () => {
    const { invalidator, others: otherProcess, shared, textOf } = await cachedNote()
    shared.delay()
    expect(await textOf(noteId('n'))).toBe('first')
    await otherProcess.commit([change(1, 'second')])
    expect(await textOf(noteId('n'))).toBe('first')
    shared.connected = false
    expect(await textOf(noteId('n'))).toBe('second')
    shared.connected = true
    invalidator.invalidateAll()
    expect(await textOf(noteId('n'))).toBe('second')
    await otherProcess.commit([change(2, 'third')])
    await invalidator.stop()
    expect(await textOf(noteId('n'))).toBe('third')
  })

  it('do not exceed the capacity, and omit values larger than a sixteenth of it', async () => {
    const { reads, others: otherProcess, stats } = await cachedNote(20_000)
    const text = 'x'.repeat(100)
    for (let i = 0; i < 50; i++) {
      await otherProcess.commit([insert(noteId(`k${i}`), { text })])
      await reads.get(noteId(`k${i}`))
    }
    expect(stats().size).toBeLessThanOrEqual(20_000)
    expect(stats().entries).toBeGreaterThan(10)
    await otherProcess.commit([insert(noteId('long'), { text: 'x'.repeat(600) })])
    const { misses } = stats()
    await reads.get(noteId('long'))
    await reads.get(noteId('long'))
    expect(stats().misses).toBe(misses + 2)
  })

  it('count more bytes for a cached absence than the length of its name, so that the capacity limits their number', async () => {
    const { cached, stats } = await cachedNote(20_000)
    const readAbsent = async ({ reads }: RunStorage) => {
      for (let i = 0; i < 100; i++) await reads.get(noteId(`k${i}`))
      return true
    }
    await cached.run(readAbsent, { repeatable: true })
    expect(stats().entries).toBeGreaterThan(10)
    expect(stats().entries).toBeLessThan(40)
  })

  it('are not cached without capacity, without change reports, or when the storage is in this process', async () => {
    const watchless = ({ watch: _, ...storage }: AccountStorage): AccountStorage => storage
    const inProcess = (storage: AccountStorage): AccountStorage => ({ ...storage, immediate: true })
    const cachedEntries = async ({ stats, textOf }: Awaited<ReturnType<typeof cachedNote>>) => {
      await textOf(noteId('n'))
      return stats().entries
    }
    expect(await cachedEntries(await cachedNote(0))).toBe(0)
    expect(await cachedEntries(await cachedNote(100_000, watchless))).toBe(0)
    expect(await cachedEntries(await cachedNote(100_000, inProcess))).toBe(0)
    expect(await cachedEntries(await cachedNote())).toBe(1)
  })
})

describe('a committed document', () => {
  it('is cached as the storage returns it', async () => {
    const { reads, commit, shared } = await cachedNote()
    await commit([
      insert(noteId('m'), { text: 'new', none: undefined }),
      { do: 'replace', id: noteId('n'), version: 1, body: { text: 'second', list: [undefined] }, fields: {} },
    ])
    const documents = await reads.getMany([noteId('m'), noteId('n')])
    expect(shared.calls).not.toContain('getMany')
    const stored = await shared.account('a').getMany([noteId('m'), noteId('n')])
    expect(documents).toStrictEqual(JSON.parse(JSON.stringify(stored)))
    expect(documents.map((document) => document?.version)).toEqual([1, 2])
    expect(() => Object.assign(documents[1]?.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('is invalidated by the next change of any process', async () => {
    const { commit, others: otherProcess, textOf } = await cachedNote()
    await commit([change(1, 'second')])
    await commit([change(2, 'third')])
    expect(await textOf(noteId('n'))).toBe('third')
    await otherProcess.commit([change(3, 'fourth')])
    expect(await textOf(noteId('n'))).toBe('fourth')
    await commit([{ do: 'remove', id: noteId('n'), version: 4 }])
    expect(await textOf(noteId('n'))).toBeUndefined()
  })

  it('is not cached when its batch is refused', async () => {
    const { commit, textOf, stats } = await cachedNote()
    expect((await commit([insert(noteId('m')), change(7, 'never')])).outcome).toBe('conflict')
    expect(stats().entries).toBe(0)
    expect(await textOf(noteId('n'))).toBe('first')
    expect(await textOf(noteId('m'))).toBeUndefined()
  })

  it.each([
    ['reported before the commit resolves', false],
    ['reported afterwards', true],
  ])('is replaced by the write of another process right after it, %s', async (_, late) => {
    let otherProcess: AccountStorage | undefined
    const superseded = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        await otherProcess?.commit([change(2, 'of another process')])
        return result
      },
    })
    const processes = await cachedNote(100_000, superseded)
    otherProcess = processes.others
    if (late) processes.shared.delay()
    await processes.commit([change(1, 'second')])
    if (late) expect(await processes.textOf(noteId('n'))).toBe('second')
    processes.shared.arrive()
    expect(await processes.textOf(noteId('n'))).toBe('of another process')
  })

  it('is not cached when the outcome of its commit is unknown, nor as part of a long batch', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        if (broken) throw new Error('connection lost')
        return result
      },
    })
    const { commit, stats } = await cachedNote(100_000, failing)
    await expect(commit([change(1, 'second')])).rejects.toThrow('connection lost')
    expect(stats().entries).toBe(0)
    broken = false
    await commit(Array.from({ length: 101 }, (_, i) => insert(noteId(`k${i}`))))
    expect(stats().entries).toBe(0)
  })
})

describe('work whose commit is refused', () => {
  it('reads from the storage the records that its commits have checked, and from the cache all others', async () => {
    const { cached, reads, others: otherProcess, shared, textOf } = await cachedNote()
    await otherProcess.commit([insert(noteId('m'))])
    await reads.getMany([noteId('n'), noteId('m')])
    await reads.list(page)
    shared.delay()
    await otherProcess.commit([change(1, 'theirs')])
    const callsBefore = shared.calls.length
    const seen: unknown[] = []
    const outcome = await cached.run(
      async (run) => {
        const [note, other] = await run.reads.getMany([noteId('n'), noteId('m')])
        await run.reads.list(page)
        seen.push(note?.version, other?.version)
        if (seen.length > 4) throw new Error('a third run')
        const version = note?.version ?? 0
        const result = await run.commit([{ do: 'expect', id: noteId('m'), version: 1 }, change(version, 'ours')])
        return result.outcome === 'committed' ? result : undefined
      },
      { repeatable: true },
    )
    expect(outcome).toMatchObject({ outcome: 'committed' })
    expect(seen).toEqual([1, 1, 2, 1])
    expect(shared.calls.slice(callsBefore)).toEqual(['commit', 'getMany', 'commit'])
    shared.arrive()
    expect(await textOf(noteId('n'))).toBe('ours')
  })
})

describe('a read that runs while a record changes', () => {
  it.each(['reported before it ends', 'reported immediately'])('is not cached when the change is %s', async (when) => {
    let respond = () => {}
    const slow = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async getMany(ids) {
        const documents = await storage.getMany(ids)
        await new Promise<void>((resolve) => (respond = resolve))
        return documents
      },
    })
    const { others: otherProcess, shared, textOf } = await cachedNote(100_000, slow)
    if (when === 'reported before it ends') shared.delay()
    const first = textOf(noteId('n'))
    await Promise.resolve()
    await otherProcess.commit([change(1, 'second')])
    shared.arrive()
    respond()
    // The read started before the change, so either text would be right; the next read must see the change.
    expect(await first).toBe('first')
    const next = textOf(noteId('n'))
    await Promise.resolve()
    respond()
    expect(await next).toBe('second')
  })

  it('leaves no cache entry when it fails', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      getMany: (ids) => (broken ? Promise.reject(new Error('down')) : storage.getMany(ids)),
      list: (query) => (broken ? Promise.reject(new Error('down')) : storage.list(query)),
    })
    const { reads, stats } = await cachedNote(100_000, failing)
    await expect(reads.getMany([noteId('n')])).rejects.toThrow('down')
    await expect(reads.list(page)).rejects.toThrow('down')
    broken = false
    expect((await reads.list(page)).items).toHaveLength(1)
    expect(stats().entries).toBe(1)
  })
})
