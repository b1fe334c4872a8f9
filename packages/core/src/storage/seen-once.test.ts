import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { documents, keySets, type Versioned } from './collection.ts'
import type { AccountStorage, DocumentId } from './port.ts'
import { UnitOfWork } from './unit-of-work.ts'

interface Note extends Versioned {
  readonly text: string
}

const notes = documents<Note>()({ name: 'note', address: 'note/{key}' })
const marks = keySets({ name: 'marks', address: 'note/{key}' })
const [a, b] = [{ key: 'a' }, { key: 'b' }]

/** A storage with the note `a`, and the keys of each read. */
async function askedStorage() {
  const storage = createMemoryStorage().account('default')
  const asked: string[][] = []
  const noting: AccountStorage = {
    ...storage,
    getMany(ids: readonly DocumentId[]) {
      asked.push(ids.map(({ key }) => key))
      return storage.getMany(ids)
    },
  }
  const write = async (text: string) => {
    const unit = new UnitOfWork(storage)
    const before = await unit.get(notes, a)
    if (before) unit.replace(notes, a, before, { ...before, text })
    else unit.insert(notes, a, { text })
    expect(await unit.commit()).toBeUndefined()
  }
  await write('first')
  return { unit: new UnitOfWork(noting), asked, write }
}

describe('a unit of work', () => {
  it('reads each document once, whether it exists or not', async () => {
    const { unit, asked } = await askedStorage()
    const found = [await unit.get(notes, a), await unit.get(notes, b), ...(await unit.getMany(notes, [b, a]))]
    expect(found.map((note) => note?.text)).toEqual(['first', undefined, undefined, 'first'])
    expect(asked).toEqual([['a'], ['b']])
  })

  it('reads a document once that one call lists twice', async () => {
    const { unit, asked } = await askedStorage()
    const found = await unit.getMany(notes, [a, b, a])
    expect(found.map((note) => note?.text)).toEqual(['first', undefined, 'first'])
    expect(asked).toEqual([['a', 'b']])
  })

  it('reads of many documents only those that it has not read', async () => {
    const { unit, asked } = await askedStorage()
    await Promise.all([unit.get(notes, a), unit.getMany(notes, [a, b])])
    expect(asked).toEqual([['a'], ['b']])
  })

  it('is refused when a document that it read has changed', async () => {
    const { unit, write } = await askedStorage()
    const before = (await unit.get(notes, a)) as Note
    await write('second')
    expect((await unit.get(notes, a))?.text).toBe('first')
    unit.replace(notes, a, before, { ...before, text: 'third' })
    expect(await unit.commit()).toBe('conflict')
  })

  it('returns what it has written itself', async () => {
    const { unit } = await askedStorage()
    const before = (await unit.get(notes, a)) as Note
    unit.replace(notes, a, before, { ...before, text: 'own' })
    expect((await unit.get(notes, a))?.text).toBe('own')
  })

  it('reads again after it has staged a unit', async () => {
    const { unit, write } = await askedStorage()
    await unit.get(notes, a)
    await write('second')
    const refused = () => {
      throw new Error('refused')
    }
    await unit.stage(async (staged) => staged.addKeys(marks, a, ['x']), { refused })
    expect((await unit.get(notes, a))?.text).toBe('second')
  })
})
