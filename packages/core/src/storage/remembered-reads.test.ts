import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { freshness } from './freshness.ts'
import type { AccountStorage, Change, DocumentId, StoredDocument } from './port.ts'
import { rememberedReads } from './remembered-reads.ts'
import { laggingStorage } from './test/lagging-storage.ts'

const place = (key: string, scope = 'proj/p'): DocumentId => ({ collection: 'note', scope, key })
const insert = (id: DocumentId, body: unknown = { text: 'first' }): Change => ({ do: 'insert', id, body, fields: {} })
const set = { name: 'marks', scope: 'proj/p' }
const page = { collection: 'note', scope: 'proj/p', limit: 10, select: 'bodies' } as const

/** Remembered reads over a storage that is elsewhere, which has one note. */
async function remembered(size = 100_000, wrap: (storage: AccountStorage) => AccountStorage = (storage) => storage) {
  const memory = createMemoryStorage()
  const shared = laggingStorage(memory)
  const storage = wrap(shared.account('a'))
  const others = memory.account('a')
  await others.commit([insert(place('n'))])
  const fresh = freshness(storage)
  const { reads, commit, seenBy, figures, remembers } = rememberedReads(storage, fresh, size)
  const textOf = async (id: DocumentId) => ((await reads.get(id))?.body as { text: string } | undefined)?.text
  return { reads, commit, seenBy, figures, remembers, fresh, others, shared, textOf }
}

const change = (version: number, text: string, id = place('n')): Change => ({
  do: 'replace',
  id,
  version,
  body: { text },
  fields: {},
})

describe('what was read', () => {
  it('is not asked again: documents, lists and counts', async () => {
    const { reads, shared, figures } = await remembered()
    for (let time = 0; time < 3; time++) {
      expect(await reads.get(place('n'))).toMatchObject({ key: 'n', version: 1, body: { text: 'first' } })
      expect((await reads.list(page)).items).toHaveLength(1)
      expect(await reads.countMembers(set)).toBe(0)
    }
    expect(shared.asked.filter((verb) => verb !== 'watch')).toEqual(['getMany', 'list', 'countMembers'])
    expect(figures()).toMatchObject({ hits: 6, misses: 3, entries: 3 })
  })

  it('is asked for together where some of it is missing', async () => {
    const { reads, others, shared } = await remembered()
    await others.commit([insert(place('m'))])
    await reads.get(place('n'))
    const found = await reads.getMany([place('m'), place('n'), place('none'), place('m')])
    expect(found.map((one) => one?.key)).toEqual(['m', 'n', undefined, 'm'])
    expect(shared.asked.filter((verb) => verb === 'getMany')).toHaveLength(2)
  })

  it('cannot be changed by whoever got it', async () => {
    const { reads } = await remembered()
    const found = (await reads.get(place('n'))) as StoredDocument
    expect(() => Object.assign(found.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('is not remembered where there is none', async () => {
    const { reads, others, shared } = await remembered()
    shared.delay()
    expect(await reads.get(place('new'))).toBeUndefined()
    await others.commit([insert(place('new'))])
    expect(await reads.get(place('new'))).toMatchObject({ version: 1 })
  })

  it('is remembered as absent for those who look again', async () => {
    const { seenBy, others, shared } = await remembered()
    const sight = { remembered: false, checked: false }
    expect(await seenBy(sight).get(place('new'))).toBeUndefined()
    expect(sight.remembered).toBe(false)
    shared.delay()
    await others.commit([insert(place('new'))])
    expect(await seenBy(sight).get(place('new'))).toBeUndefined()
    expect(sight.remembered).toBe(true)
    shared.arrive()
    expect(await seenBy(sight).get(place('new'))).toMatchObject({ version: 1 })
  })

  it('is dropped once anything is told about it', async () => {
    const { reads, others, textOf } = await remembered()
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
    expect(await reads.countMembers(set)).toBe(1)
    await others.commit([{ do: 'clear', scope: 'proj' }])
    expect(await keys(page)).toBe(2)
    await others.commit([{ do: 'clear', scope: 'proj/p' }])
    expect([await textOf(place('n')), await keys(page), await keys(deep)]).toEqual([undefined, 0, 0])
    expect(await reads.countMembers(set)).toBe(0)
  })

  it('is not kept by a change of something else', async () => {
    const { reads, others, shared } = await remembered()
    await reads.get(place('n'))
    await others.commit([insert(place('other')), insert(place('n', 'proj/p2')), { do: 'clear', scope: 'proj/p:env/e' }])
    shared.asked.length = 0
    await reads.get(place('n'))
    expect(shared.asked).toEqual([])
  })

  it('is dropped when told to, and not used while nobody knows what others commit', async () => {
    const { fresh, others, shared, textOf } = await remembered()
    shared.delay()
    expect(await textOf(place('n'))).toBe('first')
    await others.commit([change(1, 'second')])
    expect(await textOf(place('n'))).toBe('first')
    shared.connected = false
    expect(await textOf(place('n'))).toBe('second')
    shared.connected = true
    fresh.forget()
    expect(await textOf(place('n'))).toBe('second')
    await others.commit([change(2, 'third')])
    await fresh.stop()
    expect(await textOf(place('n'))).toBe('third')
  })

  it('takes no more room than it is given, and a sixteenth of it at most for one thing', async () => {
    const { reads, others, figures } = await remembered(20_000)
    const text = 'x'.repeat(100)
    for (let i = 0; i < 50; i++) {
      await others.commit([insert(place(`k${i}`), { text })])
      await reads.get(place(`k${i}`))
    }
    expect(figures().size).toBeLessThanOrEqual(20_000)
    expect(figures().entries).toBeGreaterThan(10)
    await others.commit([insert(place('long'), { text: 'x'.repeat(600) })])
    const { misses } = figures()
    await reads.get(place('long'))
    await reads.get(place('long'))
    expect(figures().misses).toBe(misses + 2)
  })

  it('takes room for what is not there as well, which weighs more than its name', async () => {
    const { seenBy, figures } = await remembered(20_000)
    const reads = seenBy({ remembered: false, checked: false })
    for (let i = 0; i < 100; i++) await reads.get(place(`k${i}`))
    expect(figures().entries).toBeGreaterThan(10)
    expect(figures().entries).toBeLessThan(40)
  })

  it('is nothing where there is no room, no watching, or storage is here itself', async () => {
    const watchless = ({ watch: _, ...storage }: AccountStorage): AccountStorage => storage
    const here = (storage: AccountStorage): AccountStorage => ({ ...storage, immediate: true })
    expect((await remembered(0)).remembers).toBe(false)
    expect((await remembered(100_000, watchless)).remembers).toBe(false)
    expect((await remembered(100_000, here)).remembers).toBe(false)
    expect((await remembered()).remembers).toBe(true)
  })
})

describe('what was written', () => {
  it('is not asked for, and reads as storage has it', async () => {
    const { reads, commit, shared } = await remembered()
    await commit([
      insert(place('m'), { text: 'new', none: undefined }),
      { do: 'replace', id: place('n'), version: 1, body: { text: 'second', list: [undefined] }, fields: {} },
    ])
    const found = await reads.getMany([place('m'), place('n')])
    expect(shared.asked).not.toContain('getMany')
    const stored = await shared.account('a').getMany([place('m'), place('n')])
    expect(found).toStrictEqual(JSON.parse(JSON.stringify(stored)))
    expect(found.map((one) => one?.version)).toEqual([1, 2])
    expect(() => Object.assign(found[1]?.body as object, { text: 'mine' })).toThrow(TypeError)
  })

  it('is dropped by the next change, of whomever', async () => {
    const { commit, others, textOf } = await remembered()
    await commit([change(1, 'second')])
    await commit([change(2, 'third')])
    expect(await textOf(place('n'))).toBe('third')
    await others.commit([change(3, 'fourth')])
    expect(await textOf(place('n'))).toBe('fourth')
    await commit([{ do: 'remove', id: place('n'), version: 4 }])
    expect(await textOf(place('n'))).toBeUndefined()
  })

  it('is not what a refused batch wanted to write', async () => {
    const { commit, textOf, figures } = await remembered()
    expect((await commit([insert(place('m')), change(7, 'never')])).outcome).toBe('conflict')
    expect(figures().entries).toBe(0)
    expect(await textOf(place('n'))).toBe('first')
    expect(await textOf(place('m'))).toBeUndefined()
  })

  it.each([
    ['is told before the commit is answered', false],
    ['is told afterwards', true],
  ])('gives way to what another wrote right after it, which %s', async (_, late) => {
    let others: AccountStorage | undefined
    const overtaken = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        await others?.commit([change(2, 'of another')])
        return result
      },
    })
    const world = await remembered(100_000, overtaken)
    others = world.others
    if (late) world.shared.delay()
    await world.commit([change(1, 'second')])
    if (late) expect(await world.textOf(place('n'))).toBe('second')
    world.shared.arrive()
    expect(await world.textOf(place('n'))).toBe('of another')
  })

  it('is not kept where it is unknown whether it was written, nor of a long batch', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async commit(batch) {
        const result = await storage.commit(batch)
        if (broken) throw new Error('cut off')
        return result
      },
    })
    const { commit, figures } = await remembered(100_000, failing)
    await expect(commit([change(1, 'second')])).rejects.toThrow('cut off')
    expect(figures().entries).toBe(0)
    broken = false
    await commit(Array.from({ length: 101 }, (_, i) => insert(place(`k${i}`))))
    expect(figures().entries).toBe(0)
  })
})

describe('a read that was under way when something changed', () => {
  it.each(['told before it ends', 'told at once'])('is not kept: %s', async (when) => {
    let answer = () => {}
    const slow = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      async getMany(ids) {
        const found = await storage.getMany(ids)
        await new Promise<void>((resolve) => (answer = resolve))
        return found
      },
    })
    const { others, shared, textOf } = await remembered(100_000, slow)
    if (when === 'told before it ends') shared.delay()
    const first = textOf(place('n'))
    await Promise.resolve()
    await others.commit([change(1, 'second')])
    shared.arrive()
    answer()
    // The question came before the change, so either text would be right for it; what counts is the next.
    expect(await first).toBe('first')
    const next = textOf(place('n'))
    await Promise.resolve()
    answer()
    expect(await next).toBe('second')
  })

  it('leaves nothing behind when it fails', async () => {
    let broken = true
    const failing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      getMany: (ids) => (broken ? Promise.reject(new Error('down')) : storage.getMany(ids)),
      list: (query) => (broken ? Promise.reject(new Error('down')) : storage.list(query)),
    })
    const { reads, figures } = await remembered(100_000, failing)
    await expect(reads.getMany([place('n')])).rejects.toThrow('down')
    await expect(reads.list(page)).rejects.toThrow('down')
    broken = false
    expect((await reads.list(page)).items).toHaveLength(1)
    expect(figures().entries).toBe(1)
  })
})
