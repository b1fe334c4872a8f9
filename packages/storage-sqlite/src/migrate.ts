import { storageUnavailable } from '@halyard/core/storage'
import { migrationsOf } from './migrations.ts'
import { fixedSql, sql } from './sql.ts'
import { change, type SqliteDriver, select } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/**
 * Updates the schema. Each migration is a transaction, which fails when another process has applied the same migration
 * first. Then the next migration is tried.
 *
 * @throws Error when the database was migrated by a newer version of this package.
 */
export async function migrate(driver: SqliteDriver): Promise<void> {
  const migrations = migrationsOf(driver.indexesTerms)
  const table = 'create table if not exists halyard_migrations (version integer primary key)'
  await driver.write([[change(fixedSql(table))]])
  for (;;) {
    const version = await readVersion(driver)
    if (version > migrations.length) throw new Error(newerMessage(version, migrations.length))
    const migration = migrations[version]
    if (!migration) return
    const record = change(sql`insert into halyard_migrations (version) values (${version + 1})`)
    try {
      await driver.write([[record, ...migration.map((text) => change(fixedSql(text)))]])
    } catch (error) {
      if (!/already exists/.test(String(error))) throw error
    }
  }
}

/**
 * Checks that the schema has the version for which this code was written.
 *
 * @throws StorageUnavailable when the schema must be migrated first, or was migrated by a newer version.
 */
export async function checkMigrated(driver: SqliteDriver): Promise<void> {
  const newest = migrationsOf(driver.indexesTerms).length
  const version = await readVersion(driver)
  if (version < newest) throw notMigratedError()
  if (version > newest) throw storageUnavailable(newerMessage(version, newest))
}

/** Makes the error of a call when the tables do not exist or are of an older version. */
export function notMigratedError(cause?: unknown): Error {
  return storageUnavailable('the database is not up to date: run migrate()', cause)
}

async function readVersion(driver: SqliteDriver): Promise<number> {
  try {
    const [rows] = await driver.read([select(sql`select coalesce(max(version), 0) as version from halyard_migrations`)])
    return Number(rows?.[0]?.version ?? 0)
  } catch (error) {
    if (classifyError(error) === 'unmigrated') return 0
    throw error
  }
}

function newerMessage(version: number, newest: number): string {
  return `the database has version ${version}, but this version of Halyard supports at most ${newest}: update Halyard`
}
