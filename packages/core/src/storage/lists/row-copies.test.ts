import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it, vi } from 'vitest'
import { pauses } from '../../platform.ts'
import { cachedReads } from '../cached-reads.ts'
import { CacheSpace, Invalidator } from '../dependency-cache.ts'
import type { AccountStorage, Change, ListQuery } from '../port.ts'
import { laggingStorage } from '../test/lagging-storage.ts'

const idOf = (key: string) => ({ collection: 'note', scope: 'proj/p', key })

/** Returns the key of a note. The keys of notes are sorted by number. */
const keyOf = (n: number) => `k${String(n).padStart(5, '0')}`

const insertion = (key: string): Change => ({ do: 'insert', id: idOf(key), body: { key }, fields: { name: key } })

const replacement = (key: string, name: string): Change => ({
  do: 'replace',
  id: idOf(key),
  version: 1,
  body: { key, name },
  fields: { name },
})

const pageAt = (offset: number, rest: Partial<ListQuery> = {}): ListQuery => ({
  collection: 'note',
  scope: 'proj/p',
  order: [{ field: 'name', type: 'text' }],
  select: 'bodies',
  count: true,
  limit: 5,
  offset,
  ...rest,
})

interface Setup {
  readonly notes?: number
  readonly capacity?: number
  /** Replaces the storage of the process that reads. */
  readonly wrap?: (storage: AccountStorage, otherProcess: AccountStorage) => AccountStorage
}

/** Returns the reads of a process that shares a storage of notes, and has read the first three lists of them. */
async function readsOfNotes({ notes = 500, capacity = 10_000_000, wrap = (storage) => storage }: Setup = {}) {
  const memory = createMemoryStorage()
  const shared = laggingStorage(memory)
  const others = memory.account('a')
  await others.commit(Array.from({ length: notes }, (_, n) => insertion(keyOf(n))))
  const storage = wrap(shared.account('a'), others)
  const cached = cachedReads(storage, new Invalidator(storage), {
    space: new CacheSpace(capacity),
    isRefusal: () => false,
    pauses,
  })
  const { reads } = cached
  const namesAt = async (offset: number, rest?: Partial<ListQuery>) =>
    (await reads.list(pageAt(offset, rest))).items.map(({ fields }) => fields.name)
  /** Returns the calls of the storage during the work. */
  const callsDuring = async (work: () => Promise<unknown>) => {
    const before = shared.calls.length
    await work()
    return shared.calls.slice(before)
  }
  for (let offset = 0; offset < 3; offset++) await reads.list(pageAt(offset))
  return { cached, reads, others, shared, namesAt, callsDuring }
}

/** Waits until the rows are copied: a list in another order then needs no list of the storage. */
async function untilCopied({ callsDuring, namesAt }: Awaited<ReturnType<typeof readsOfNotes>>) {
  let offset = 400
  await expect.poll(() => callsDuring(() => namesAt(offset++))).not.toContain('list')
}

it('after three lists of many documents, other lists are answered by a copy of their rows', async () => {
  const process = await readsOfNotes()
  await untilCopied(process)
  const { namesAt, callsDuring, reads, cached } = process
  const descending = [{ field: 'name', type: 'text', descending: true }] as const
  expect(await callsDuring(() => namesAt(20))).toEqual(['getMany'])
  expect(await callsDuring(() => namesAt(20, { order: descending, select: 'fields' }))).toEqual([])
  expect(await namesAt(0, { order: descending, limit: 2 })).toEqual(['k00499', 'k00498'])
  expect((await reads.list(pageAt(0, { where: [{ op: 'contains', in: ['name'], text: '49' }] }))).total).toBe(15)
  expect(cached.stats().size).toBeGreaterThan(500_000)
})

it('a list after a change of another process reads only the row that was changed', async () => {
  const process = await readsOfNotes()
  await untilCopied(process)
  const { namesAt, callsDuring, others } = process
  await namesAt(0)
  await others.commit([replacement(keyOf(3), 'a new first'), { do: 'remove', id: idOf(keyOf(1)), version: 1 }])
  await others.commit([insertion('another')])
  expect(await callsDuring(() => namesAt(0))).toEqual(['list', 'getMany'])
  expect(await namesAt(0)).toEqual(['a new first', 'another', 'k00000', 'k00002', 'k00004'])
  expect(await callsDuring(() => namesAt(0))).toEqual([])
})

it('a list does not use the copy while the storage cannot report changes, and includes those that were missed', async () => {
  const process = await readsOfNotes()
  await untilCopied(process)
  const { namesAt, callsDuring, shared, others } = process
  shared.connected = false
  expect(await callsDuring(() => namesAt(0))).toEqual(['list'])
  await others.commit([replacement(keyOf(3), 'a new first')])
  expect(await namesAt(0, { limit: 1 })).toEqual(['a new first'])
})

it('the rows are not copied when few documents are listed, or when they do not fit into the cache', async () => {
  for (const setup of [{ notes: 150 }, { notes: 500, capacity: 900_000 }]) {
    const { namesAt, callsDuring } = await readsOfNotes(setup)
    for (let offset = 10; offset < 20; offset++) expect(await callsDuring(() => namesAt(offset))).toContain('list')
  }
})

it('no row is missing when documents are created and deleted while the rows are copied', async () => {
  let pages = 0
  const process = await readsOfNotes({
    notes: 4_900,
    wrap: (storage, others) => ({
      ...storage,
      async list(query) {
        const page = await storage.list(query)
        // After the first page of the first copy, the rows of later pages move by one position.
        if (query.limit >= 1_000 && ++pages === 1)
          await others.commit([{ do: 'remove', id: idOf(keyOf(7)), version: 1 }])
        if (query.limit >= 1_000 && pages === 5) await others.commit([insertion('k'), insertion('z')])
        return page
      },
    }),
  })
  for (let offset = 0; offset < 3; offset++) await process.namesAt(4_000 + offset)
  await untilCopied(process)
  const all = await process.reads.list(pageAt(0, { limit: 10_000, select: 'fields' }))
  expect(all).toEqual(await process.others.list(pageAt(0, { limit: 10_000, select: 'fields' })))
  expect(all.total).toBe(4_901)
})

it('a list is read from the storage when its changed rows cannot be read', async () => {
  const failing = vi.fn(async (): Promise<never> => {
    throw new Error('connection lost')
  })
  const process = await readsOfNotes({
    wrap: (storage) => ({
      ...storage,
      list: (query) => (query.where?.some(({ op }) => op === 'anyOf') ? failing() : storage.list(query)),
    }),
  })
  await untilCopied(process)
  const { namesAt, others } = process
  await others.commit([replacement(keyOf(3), 'a new first')])
  expect(await namesAt(0, { limit: 1 })).toEqual(['a new first'])
  expect(failing).toHaveBeenCalledOnce()
})

it('a page has each document in the version of its row when another process changes one in the meantime', async () => {
  let isChanged = true
  const process = await readsOfNotes({
    wrap: (storage, others) => ({
      ...storage,
      async getMany(ids) {
        if (!isChanged) await others.commit([replacement(keyOf(3), 'a new first')])
        isChanged = true
        return storage.getMany(ids)
      },
    }),
  })
  await untilCopied(process)
  isChanged = false
  const { items } = await process.reads.list(pageAt(0))
  expect(items.map(({ body }) => body)).toContainEqual({ key: keyOf(3), name: 'a new first' })
  expect(items[0]).toMatchObject({ key: keyOf(3), version: 2, fields: { name: 'a new first' } })
})

it('rows are copied again after so many changes that reading each changed row would take longer', async () => {
  const process = await readsOfNotes({ notes: 1_500 })
  await untilCopied(process)
  const { namesAt, callsDuring, others } = process
  for (let n = 0; n < 1_200; n++) await others.commit([replacement(keyOf(n), `name ${keyOf(n)}`)])
  // A list of the changed rows would be followed by a query of the documents.
  expect(await callsDuring(() => namesAt(0, { limit: 1 }))).toEqual(['list'])
  for (let offset = 1; offset < 4; offset++) await namesAt(offset)
  await untilCopied(process)
  expect(await callsDuring(() => namesAt(0, { limit: 1 }))).not.toContain('list')
})
