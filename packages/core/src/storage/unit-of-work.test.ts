import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { documents, type Versioned } from './collection.ts'
import { UnitOfWork } from './unit-of-work.ts'

interface Note extends Versioned {
  readonly text: string
}

const notes = documents<Note>()({ name: 'note', address: 'note/{key}' })
const [a, b, c] = [{ key: 'a' }, { key: 'b' }, { key: 'c' }]

/** Returns a storage with the notes `a` and `b`, and a unit of work on it. */
async function openUnit() {
  const storage = createMemoryStorage().account('default')
  const first = new UnitOfWork(storage)
  first.insert(notes, a, { text: 'first' })
  first.insert(notes, b, { text: 'first' })
  await first.commit()
  const stored = (key: string) => storage.get({ collection: 'note', scope: '', key })
  return { unit: new UnitOfWork(storage), stored }
}

describe('a unit of work', () => {
  it('returns what it has written itself when many documents are read', async () => {
    const { unit } = await openUnit()
    const [noteA, noteB] = await unit.getMany(notes, [a, b])
    unit.replace(notes, a, noteA as Note, { ...(noteA as Note), text: 'second' })
    unit.remove(notes, b, noteB as Note)
    unit.insert(notes, c, { text: 'new' })
    const read = await unit.getMany(notes, [c, b, a])
    expect(read.map((note) => note?.text)).toEqual(['new', undefined, 'second'])
    expect(await Promise.all([c, b, a].map((keys) => unit.get(notes, keys)))).toEqual(read)
  })

  it('commits when it requires the same version of a document several times and also increases it by `touch`', async () => {
    const { unit, stored } = await openUnit()
    const note = (await unit.get(notes, a)) as Note
    unit.expect(notes, a, note)
    unit.expect(notes, a, note)
    unit.touch(notes, a, note)
    unit.expect(notes, a, note)
    expect(await unit.commit()).toBeUndefined()
    expect((await stored('a'))?.body).toMatchObject({ text: 'first', version: 2 })
  })

  it('does not commit when a document that it requires to be unchanged has changed', async () => {
    const { unit, stored } = await openUnit()
    const note = (await unit.get(notes, a)) as Note
    unit.expect(notes, a, { ...note, version: 7 })
    unit.insert(notes, c, { text: 'new' })
    expect(await unit.commit()).toMatchObject({ outcome: 'conflict' })
    expect(await stored('c')).toBeUndefined()
  })
})
