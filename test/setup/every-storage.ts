import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll } from 'vitest'
import { pgliteStorages } from './pglite-storages.ts'
import { postgresStorages } from './postgres-storages.ts'

/**
 * Returns a function for each kind of storage that opens it empty and migrated; all are closed and deleted after the
 * tests of the file.
 */
export function everyStorage(): Readonly<Record<string, () => Promise<Storage>>> {
  const pglite = pgliteStorages()
  const postgres = postgresStorages()
  afterAll(() => Promise.all([pglite.dispose(), postgres.dispose()]))
  return { memory: async () => createMemoryStorage(), PGlite: pglite.open, Postgres: postgres.open }
}
