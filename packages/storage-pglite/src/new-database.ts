import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { directoryPath, isInMemory } from './data-directory.ts'

/** Opens a database of PGlite, from an archive if the options contain one. */
type CreateDatabase = (dataDir: string, options?: { readonly loadDataDir: Blob }) => Promise<PGlite>

/**
 * Returns the archive of an empty database in the form that PGlite accepts; undefined where the archive is not
 * installed.
 */
type ReadArchive = () => Promise<Blob | undefined>

/**
 * Opens a database. A new database is copied from the archive of the package `@electric-sql/pglite-prepopulatedfs`, if
 * that package is installed. Otherwise PGlite initializes the database, which takes three times as long.
 *
 * @param dataDir the data directory, which exists and is locked, or `memory://`. A directory that is not empty contains
 *   a database.
 * @param create `PGlite.create`.
 * @param readArchive reads the archive. Default: the archive of the package is read. An archive of another version of
 *   Postgres is not used.
 * @throws Error for a directory whose database was not completed, because the process that created it ended.
 */
export async function openDatabase(
  dataDir: string,
  create: CreateDatabase,
  readArchive: ReadArchive = readInstalledArchive,
): Promise<PGlite> {
  if (isInMemory(dataDir)) return createNew(dataDir, { create, readArchive }, () => {})
  const directory = directoryPath(dataDir)
  const marker = `${directory}.unfinished`
  if (readdirSync(directory).length > 0) {
    // The directory is not cleared, because a back-up may have been copied into it since.
    if (existsSync(marker)) throw new Error(`its database was not completed: empty the directory, or delete ${marker}`)
    return create(dataDir)
  }
  writeFileSync(marker, '')
  const database = await createNew(dataDir, { create, readArchive }, () => removeContents(directory))
  rmSync(marker)
  return database
}

/** The functions that make a database, and that read an archive of one. */
interface DatabaseSources {
  readonly create: CreateDatabase
  readonly readArchive: ReadArchive
}

/**
 * Creates a database: from the archive if there is one that PGlite accepts, otherwise by initializing it.
 *
 * @param clear removes the files of a refused archive.
 */
async function createNew(
  dataDir: string,
  { create, readArchive }: DatabaseSources,
  clear: () => void,
): Promise<PGlite> {
  const archive = await readArchive()
  if (!archive) return create(dataDir)
  try {
    return await create(dataDir, { loadDataDir: archive })
  } catch {
    clear()
    return create(dataDir)
  }
}

// The name is not a literal in the import, because a bundler would fail where the package is not installed.
const archivePackage = '@electric-sql/pglite-prepopulatedfs'

async function readInstalledArchive(): Promise<Blob | undefined> {
  try {
    const { dataDir }: typeof import('@electric-sql/pglite-prepopulatedfs') = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ archivePackage
    )
    return await dataDir()
  } catch {
    return undefined
  }
}

function removeContents(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true })
}
