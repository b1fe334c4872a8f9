import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountStorage, Change } from '@halyard/core/storage'
import Database from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStorage } from './sqlite-storage.ts'

/** A page of 4096 bytes with its header, in the log of SQLite. */
const loggedPageBytes = 4120

/** Opens a file, and returns a function that counts the pages that a commit writes to the log. */
async function openFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-pages-'))
  const file = path.join(folder, 'flags.db')
  const database = new Database(file)
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const storage = createSqliteStorage({ database, synchronous: 'normal' })
  await storage.migrate()
  database.exec('pragma wal_autocheckpoint = 0')
  const account = storage.account('acme')
  const logged = () => Math.floor(statSync(`${file}-wal`).size / loggedPageBytes)
  const pagesOf = async (...batch: Change[]) => {
    const before = logged()
    await account.commit(batch)
    return logged() - before
  }
  return { account, pagesOf }
}

const id = { collection: 'flag', scope: 'proj/web', key: 'checkout' }

async function fill(account: AccountStorage): Promise<void> {
  const others = Array.from({ length: 500 }, (_, i): Change => {
    const fields = { name: `Flag ${i}`, createdAt: i, tags: [`tag ${i}`] }
    return { do: 'insert', id: { ...id, key: `flag-${i}` }, body: {}, fields }
  })
  await account.commit([...others, { do: 'insert', id, body: {}, fields: { name: 'Checkout', createdAt: 250 } }])
}

it('a commit that keeps the fields of a document writes only the document, one index and the change notification', async () => {
  const { account, pagesOf } = await openFile()
  await fill(account)
  const replaced = (version: number, name: string): Change => {
    return { do: 'replace', id, version, body: { version }, fields: { name, createdAt: 250 } }
  }
  expect(await pagesOf(replaced(1, 'Checkout'))).toBeLessThanOrEqual(3)
  expect(await pagesOf(replaced(2, 'Payment'))).toBeGreaterThan(3)
  const [stored] = await account.getMany([id])
  expect(stored).toMatchObject({ version: 3, body: { version: 2 } })
})

it('the terms of many samples are indexed together, so that each sample writes few pages', async () => {
  const { account, pagesOf } = await openFile()
  await fill(account)
  const terms = Array.from({ length: 13 }, (_, i) => `${i} ${'term of a sample '.repeat(3)}`)
  const count = 640
  let pages = 0
  for (let n = 0; n < count; n++) {
    const sample = { id: `${n}`.padStart(30, '0'), at: n, label: '', values: [], body: 'x'.repeat(1000), terms }
    pages += await pagesOf({ do: 'append', series: { name: 'log', scope: 'acct' }, samples: [sample] })
  }
  // If each sample were indexed alone, it would write a page of the index for each of its 13 terms, and more than 3
  // pages of other tables.
  expect(pages / count).toBeLessThan(10)
})
