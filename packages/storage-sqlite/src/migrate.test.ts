import type { Condition } from '@halyard/core/storage'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { createSqliteStorage } from './index.ts'
import { migrationsOf } from './migrations.ts'

const name = 'Naïve CHECKOUT'
const fields = { name, tags: ['a "b"', 'c'], text: 'x'.repeat(150) }

const searches: Readonly<Record<string, Condition>> = {
  'a part of the name': { op: 'contains', in: ['key', 'name'], text: 'ïve check' },
  'a part of the key': { op: 'contains', in: ['key', 'name'], text: 'EW-C' },
  'a tag': { op: 'equals', field: 'tags', value: 'a "b"' },
  'a long text': { op: 'anyOf', field: 'text', values: ['x'.repeat(150)] },
}

async function openOldDatabase() {
  const database = new Database(':memory:')
  database.exec('create table halyard_migrations (version integer primary key)')
  database.exec('insert into halyard_migrations values (1)')
  for (const text of migrationsOf(true)[0] ?? []) database.exec(text)
  database
    .prepare(`insert into halyard_documents values ('acme', 'flag', 'proj/web', 'new-checkout', 7, ?, '{"a":1}')`)
    .run(JSON.stringify(fields))
  return { database, storage: createSqliteStorage({ database }) }
}

const list = (condition: Condition) =>
  ({ collection: 'flag', scope: 'proj/web', limit: 10, select: 'bodies', where: [condition] }) as const

for (const [title, condition] of Object.entries(searches)) {
  it(`a migrated storage finds documents of a database of the first version by ${title}`, async () => {
    const { database, storage } = await openOldDatabase()
    await storage.migrate()
    const { items } = await storage.account('acme').list(list(condition))
    expect(items).toEqual([{ key: 'new-checkout', scope: 'proj/web', version: 7, fields, body: { a: 1 } }])
    expect((await storage.account('other').list(list(condition))).items).toEqual([])
    database.close()
  })
}

it('a migrated storage finds a document by its fields until they change, also after the file was compacted', async () => {
  const { database, storage } = await openOldDatabase()
  await storage.migrate()
  const account = storage.account('acme')
  const id = { collection: 'flag', scope: 'proj/web', key: 'new-checkout' }
  const keysOf = async (value: string) =>
    (await account.list(list({ op: 'equals', field: 'tags', value }))).items.map(({ key }) => key)
  await account.commit([{ do: 'insert', id: { ...id, key: 'aaa' }, body: 1, fields: { tags: ['z'] } }])
  await account.commit([{ do: 'remove', id: { ...id, key: 'aaa' }, version: 1 }])
  await account.commit([{ do: 'insert', id: { ...id, key: 'bbb' }, body: 1, fields: { tags: ['c'] } }])
  database.exec('vacuum')
  expect(await keysOf('c')).toEqual(['bbb', 'new-checkout'])
  await account.commit([{ do: 'replace', id, version: 7, body: 1, fields: { tags: ['d'] } }])
  expect([await keysOf('c'), await keysOf('d')]).toEqual([['bbb'], ['new-checkout']])
  database.close()
})

it('a migrated storage finds text at the end of a name that is longer than its indexed part', async () => {
  const { database, storage } = await openOldDatabase()
  await storage.migrate()
  const account = storage.account('acme')
  const id = { collection: 'flag', scope: 'proj/web', key: 'long' }
  await account.commit([{ do: 'insert', id, body: 1, fields: { name: `${'a'.repeat(300)}the end` } }])
  const { items } = await account.list(list({ op: 'contains', in: ['name'], text: 'THE END' }))
  expect(items.map(({ key }) => key)).toEqual(['long'])
  database.close()
})

it('a migrated storage finds samples of a database of the third version by their terms, and those that were added after it', async () => {
  const database = new Database(':memory:')
  database.exec('create table halyard_migrations (version integer primary key)')
  for (const [index, migration] of migrationsOf(true).slice(0, 3).entries()) {
    database.exec(`insert into halyard_migrations values (${index + 1})`)
    for (const text of migration) database.exec(text)
  }
  const series = { name: 'log', scope: 'acct' }
  const insert = database.prepare(`insert into halyard_samples values ('acme', 'acct', 'log', ?, ?, '', '[]', '1', ?)`)
  for (const n of [1, 2]) insert.run(`old-${n}`, n, JSON.stringify(['any', `term ${n}`]))
  const storage = createSqliteStorage({ database })
  await storage.migrate()
  const account = storage.account('acme')
  const idsOf = async (...terms: string[][]) =>
    (await account.newest({ series, limit: 100, terms })).map(({ id }) => id)
  expect(await idsOf(['any'], ['term 1', 'term 2'])).toEqual(['old-2', 'old-1'])
  for (let n = 3; n < 80; n++) {
    const sample = { id: `new-${n}`, at: n, label: '', values: [], body: 1, terms: ['any', `term ${n % 2}`] }
    await account.commit([{ do: 'append', series, samples: [sample] }])
  }
  const added = Array.from({ length: 77 }, (_, i) => `new-${79 - i}`)
  expect(await idsOf(['any'])).toEqual([...added, 'old-2', 'old-1'])
  expect(await idsOf(['any'], ['term 1'])).toEqual([...added.filter((_, i) => i % 2 === 0), 'old-1'])
  await account.commit([{ do: 'delete-samples', series, ids: ['old-1', 'new-3', 'new-79'] }])
  expect(await idsOf(['term 1'])).toEqual(added.slice(2, -1).filter((_, i) => i % 2 === 0))
  database.close()
})
