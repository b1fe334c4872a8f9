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

/** Returns a unit of work on a storage that has the note `a`, and the keys of each read. */
async function storageWithReads() {
  const storage = createMemoryStorage().account('default')
  const reads: string[][] = []
  const recordingStorage: AccountStorage = {
    ...storage,
    getMany(ids: readonly DocumentId[]) {
      reads.push(ids.map(({ key }) => key))
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
  return { unit: new UnitOfWork(recordingStorage), asked: reads, write }
}

describe('a unit of work', () => {
  it('reads a document once, whether it exists or not', async () => {
    const { unit, asked: reads } = await storageWithReads()
    const readNotes = [await unit.get(notes, a), await unit.get(notes, b), ...(await unit.getMany(notes, [b, a]))]
    expect(readNotes.map((note) => note?.text)).toEqual(['first', undefined, undefined, 'first'])
    expect(reads).toEqual([['a'], ['b']])
  })

  it('reads a document once when one call lists it twice', async () => {
    const { unit, asked: reads } = await storageWithReads()
    const readNotes = await unit.getMany(notes, [a, b, a])
    expect(readNotes.map((note) => note?.text)).toEqual(['first', undefined, 'first'])
    expect(reads).toEqual([['a', 'b']])
  })

  it('requests only the documents that it has not read before', async () => {
    const { unit, asked: reads } = await storageWithReads()
    await Promise.all([unit.get(notes, a), unit.getMany(notes, [a, b])])
    expect(reads).toEqual([['a'], ['b']])
  })

  it('is refused when a document that it read has changed', async () => {
    const { unit, write } = await storageWithReads()
    const before = (await unit.get(notes, a)) as Note
    await write('second')
    expect((await unit.get(notes, a))?.text).toBe('first')
    unit.replace(notes, a, before, { ...before, text: 'third' })
    expect(await unit.commit()).toMatchObject({ outcome: 'conflict' })
  })

  it('returns the document that it has written itself', async () => {
    const { unit } = await storageWithReads()
    const before = (await unit.get(notes, a)) as Note
    unit.replace(notes, a, before, { ...before, text: 'own' })
    expect((await unit.get(notes, a))?.text).toBe('own')
  })

  it('reads a document again when a stage of the changes was committed before the end of the call', async () => {
    const { unit, write } = await storageWithReads()
    await unit.get(notes, a)
    await write('second')
    const refused = () => {
      throw new Error('refused')
    }
    await unit.stage(async (staged) => staged.addKeys(marks, a, ['x']), { refused })
    expect((await unit.get(notes, a))?.text).toBe('second')
  })
})
