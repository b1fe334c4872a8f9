import { storageUnavailable } from '@halyard/core/storage'
import type { Query, SqlDriver } from '../connections/sql-driver.ts'
import { migrations } from './migrations.ts'
import { countPartitions, partitionStatements } from './partitions.ts'
import type { Tables } from './tables.ts'

/**
 * Updates the schema. All migrations that are due run in one transaction. Processes that start together wait for each
 * other, and those that come later find nothing to do.
 *
 * @param newPartitions number of partitions of the tables of a new schema. A schema that exists keeps its own number.
 * @throws Error when the database is not UTF-8, or was migrated by a newer version of this package.
 */
export async function migrate(driver: SqlDriver, tables: Tables, newPartitions: number): Promise<void> {
  await driver.transaction(async (query) => {
    const run = (text: string, ...values: (string | number)[]) => query({ text, values })
    await run('select pg_advisory_xact_lock(hashtextextended($1, 0))', `halyard ${tables.schema}`)
    await refuseOtherEncodings(query)
    await createSchema(query, tables)
    const version = await readVersion(query, tables)
    refuseNewer(version, tables)
    const partitions = version === 0 ? newPartitions : await countPartitions(query, tables)
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      for (const text of migration(tables).flatMap((statement) => partitionStatements(statement, partitions)))
        await run(text)
      await run(`insert into ${tables.migrations} (version) values ($1)`, index + 1)
    }
  })
}

/**
 * Checks that the schema has the version that this code was written for.
 *
 * @throws StorageUnavailable when the schema must be migrated first, or was migrated by a newer version.
 */
export async function checkMigrated(query: Query, tables: Tables): Promise<void> {
  const version = await readVersion(query, tables)
  if (version < migrations.length) throw notMigratedError(tables)
  if (version > migrations.length) throw storageUnavailable(newerMessage(version, tables))
}

/** Makes the error of a call when the tables do not exist or are of an older version. */
export function notMigratedError(tables: Tables, cause?: unknown): Error {
  return storageUnavailable(`the schema ${tables.schema} is not up to date: run migrate()`, cause)
}

async function refuseOtherEncodings(query: Query): Promise<void> {
  // With the collation "C", text is compared by its bytes, and only the bytes of UTF-8 have the order of code points.
  const { rows } = await query<{ encoding: string }>({
    text: `select current_setting('server_encoding') as encoding`,
    values: [],
  })
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8') throw new Error(`the database has the encoding ${encoding}, but Halyard needs UTF8`)
}

async function createSchema(query: Query, { schema, migrations: table }: Tables): Promise<void> {
  // `create schema if not exists` requires the privilege to create a schema even when the schema exists.
  const existing = await query({ text: 'select 1 as found where to_regnamespace($1) is not null', values: [schema] })
  if (existing.rows.length === 0) await query({ text: `create schema ${schema}`, values: [] })
  const columns = 'version int primary key, applied_at timestamptz not null default now()'
  await query({ text: `create table if not exists ${table} (${columns})`, values: [] })
}

async function readVersion(query: Query, tables: Tables): Promise<number> {
  const text = `select coalesce(max(version), 0) as version from ${tables.migrations}`
  const { rows } = await query<{ version: number }>({ text, values: [] })
  return rows[0]?.version ?? 0
}

function refuseNewer(version: number, tables: Tables): void {
  if (version > migrations.length) throw new Error(newerMessage(version, tables))
}

function newerMessage(version: number, { schema }: Tables): string {
  const newestVersion = migrations.length
  return `the schema ${schema} has version ${version}, but this version of Halyard supports at most ${newestVersion}: update Halyard`
}
