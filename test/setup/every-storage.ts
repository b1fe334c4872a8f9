import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import Database from 'libsql'
import { afterAll } from 'vitest'
import { longTests } from './long-tests.ts'
import { pgliteStorages } from './pglite-storages.ts'
import { postgresStorages } from './postgres-storages.ts'
import { sqliteFiles } from './sqlite-files.ts'

export type EveryStorage = Readonly<Record<string, () => Promise<Storage>>> &
  Readonly<Record<'memory' | 'SQLite' | 'Postgres', () => Promise<Storage>>>

/**
 * Returns a function for each kind of storage, which opens an empty and migrated storage. All are closed and deleted
 * after the tests of the file. PGlite is included in long runs only, because it runs the statements of Postgres, takes
 * seconds to open, and has suites of its own.
 */
export function everyStorage(): EveryStorage {
  const sqlite = sqliteFiles((file) => new Database(file))
  const postgres = postgresStorages()
  const pglite = longTests ? pgliteStorages() : undefined
  afterAll(async () => {
    await Promise.all([pglite?.dispose(), postgres.dispose()])
    sqlite.dispose()
  })
  return {
    memory: async () => createMemoryStorage(),
    SQLite: sqlite.open,
    Postgres: postgres.open,
    ...(pglite && { PGlite: pglite.open }),
  }
}
