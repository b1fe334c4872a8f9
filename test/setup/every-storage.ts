import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll } from 'vitest'
import { pgliteStorages } from './pglite-storages.ts'
import { postgresStorages } from './postgres-storages.ts'

/** Every kind of storage by its name, each opened empty and migrated; all are closed and removed after the tests of the file. */
export function everyStorage(): Readonly<Record<string, () => Promise<Storage>>> {
  const pglite = pgliteStorages()
  const postgres = postgresStorages()
  afterAll(() => Promise.all([pglite.dispose(), postgres.dispose()]))
  return { memory: async () => createMemoryStorage(), PGlite: pglite.open, Postgres: postgres.open }
}
