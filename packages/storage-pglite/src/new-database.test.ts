import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { dataDir as preparedArchive } from '@electric-sql/pglite-prepopulatedfs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './new-database.ts'

const create = (dataDir: string, options?: { readonly loadDataDir: Blob }) => PGlite.create(dataDir, options)

/**
 * Returns the archive with the files of another version of Postgres, which PGlite refuses after it has written them.
 */
async function archiveOfOtherVersion(): Promise<Blob> {
  const tar = gunzipSync(await (await preparedArchive()).arrayBuffer())
  let changed = 0
  for (let at = tar.indexOf('PG_VERSION'); at >= 0; at = tar.indexOf('PG_VERSION', at + 1)) {
    // A file follows its header of 512 bytes.
    const file = Math.floor(at / 512) * 512 + 512
    if (tar.toString('latin1', file, file + 3) === '18\n') changed += tar.write('12\n', file)
  }
  expect(changed).toBeGreaterThan(0)
  return new Blob([tar])
}

function emptyDirectory(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-new-database-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const directory = path.join(folder, 'data')
  mkdirSync(directory)
  return directory
}

/** Returns an archive with a table that a new database does not have. */
async function markedArchive(): Promise<Blob> {
  const database = await PGlite.create({ loadDataDir: await preparedArchive() })
  await database.exec('create table marks (id int)')
  const archive = await database.dumpDataDir('none')
  await database.close()
  return archive
}

/** Opens a database, adds a mark, and returns the number of marks. */
async function mark(dataDir: string, archive: () => Promise<Blob | undefined>): Promise<number | undefined> {
  const database = await openDatabase(dataDir, create, archive)
  await database.exec('insert into marks values (1)')
  const { rows } = await database.query<{ count: number }>('select count(*)::int as count from marks')
  await database.close()
  return rows[0]?.count
}

const unread = () => Promise.reject(new Error('the archive was read'))

describe('opening a database', () => {
  it('copies a new database from the archive, and does not read the archive again', async () => {
    const archive = await markedArchive()
    const directory = emptyDirectory()
    expect(await mark(directory, async () => archive)).toBe(1)
    expect(await mark(`file://${directory}`, unread)).toBe(2)
    expect(await mark('memory://', async () => archive)).toBe(1)
  })

  it('initializes a new database when PGlite refuses the archive', async () => {
    const database = await openDatabase(emptyDirectory(), create, archiveOfOtherVersion)
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await database.close()
  })

  it('refuses a database whose creation was not completed, and does not change its files', async () => {
    const directory = emptyDirectory()
    const fail = () => Promise.reject(new Error('the process ended'))
    await expect(openDatabase(directory, fail, async () => undefined)).rejects.toThrow('the process ended')
    // A copy or an initialization may have written this file by then.
    writeFileSync(path.join(directory, 'PG_VERSION'), '18\n')
    await expect(openDatabase(directory, create, unread)).rejects.toThrow(
      `its database was not completed: empty the directory, or delete ${directory}.unfinished`,
    )
    expect(readdirSync(directory)).toEqual(['PG_VERSION'])
    rmSync(path.join(directory, 'PG_VERSION'))
    const archive = await markedArchive()
    expect(await mark(directory, async () => archive)).toBe(1)
    expect(readdirSync(path.dirname(directory))).toEqual(['data'])
  })

  it('does not copy an archive into a directory with other files', async () => {
    const directory = emptyDirectory()
    writeFileSync(path.join(directory, 'notes.txt'), 'mine')
    const refuse = () => Promise.reject(new Error('refused'))
    await expect(openDatabase(directory, refuse, unread)).rejects.toThrow('refused')
    expect(readdirSync(directory)).toEqual(['notes.txt'])
  })
})
