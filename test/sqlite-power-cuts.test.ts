import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqliteFiles } from './setup/sqlite-files.ts'

const files = sqliteFiles((file) => new Database(file))
afterAll(() => files.dispose())

/** The content of the files of a database when a commit was acknowledged: SQLite has synced all of it. */
interface Snapshot {
  readonly database: Buffer
  readonly wal: Buffer
}

const blockSize = 512
const walHeaderSize = 32

const takeSnapshot = (file: string): Snapshot => ({
  database: readFileSync(file),
  wal: existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0),
})

/** Returns the old content with some blocks of the new one: the disk writes blocks in any order until the next sync. */
function mixed(before: Buffer, after: Buffer, isWritten: (block: number) => boolean): Buffer {
  const content = Buffer.alloc(Math.max(before.length, after.length))
  before.copy(content)
  let end = before.length
  for (let start = 0; start < after.length; start += blockSize) {
    if (!isWritten(start / blockSize)) continue
    after.copy(content, start, start, start + blockSize)
    end = Math.max(end, Math.min(after.length, start + blockSize))
  }
  return content.subarray(0, end)
}

/** Returns the files after a power cut between two commits. */
function cutBetween(before: Snapshot, after: Snapshot, isWritten: (block: number) => boolean): Snapshot {
  const header = (wal: Buffer) => wal.subarray(0, walHeaderSize)
  // A log that starts again has a new header, and SQLite has synced the database before.
  if (!header(before.wal).equals(header(after.wal)) && before.wal.length > 0) {
    return { database: after.database, wal: mixed(before.wal, after.wal, isWritten) }
  }
  return { database: mixed(before.database, after.database, isWritten), wal: mixed(before.wal, after.wal, isWritten) }
}

describe('a SQLite file after a power cut', () => {
  const cuts = 20
  it(`contains every acknowledged commit, after each of ${cuts} cuts`, async () => {
    const file = files.newFile()
    const database = new Database(file)
    onTestFinished(() => void database.close())
    const storage = createSqliteStorage({ database })
    await storage.migrate()
    // Checkpoints are frequent, so that some power cuts happen while the log is copied into the database.
    database.pragma('wal_autocheckpoint = 10')
    const account = storage.account('acme')
    const snapshots: Snapshot[] = []
    for (let n = 0; n <= cuts; n++) {
      const id = { collection: 'things', scope: '', key: `k${n}` }
      await account.commit([{ do: 'insert', id, body: 'x'.repeat(3_000), fields: { n } }])
      snapshots.push(takeSnapshot(file))
    }
    expect(database.prepare('pragma synchronous').all()).toEqual([{ synchronous: 2 }])
    for (let cutIndex = 0; cutIndex < cuts; cutIndex++) {
      const before = snapshots[cutIndex] as Snapshot
      const after = cutBetween(
        before,
        snapshots[cutIndex + 1] as Snapshot,
        (block) => (block * 7919 + cutIndex * 104_729) % 3 > 0,
      )
      const restored = files.newFile()
      writeFileSync(restored, after.database)
      writeFileSync(`${restored}-wal`, after.wal)
      const restoredAccount = (await files.openFile(restored)).account('acme')
      const { items } = await restoredAccount.list({ collection: 'things', scope: '', limit: 100, select: 'bodies' })
      const keys = items.map(({ key }) => key)
      const acknowledged = Array.from({ length: cutIndex + 1 }, (_, n) => `k${n}`)
      expect(
        acknowledged.filter((key) => !keys.includes(key)),
        `cut ${cutIndex}`,
      ).toEqual([])
    }
  }, 120_000)
})
