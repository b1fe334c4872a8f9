import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage, type PostgresStorageOptions } from '@halyard/storage-postgres'
import pg from 'pg'

/** Storages on one server: one schema for each, one pool for all. */
export interface PostgresStorages {
  readonly pool: pg.Pool
  /** Opens a storage that is empty, migrated and independent of the storages opened before. */
  open(): Promise<Storage>
  /** Closes a storage returned by `open` and opens the same data again. */
  reopen(storage: Storage): Promise<Storage>
  /** Opens the same data a second time. */
  openSecond(storage: Storage): Promise<Storage>
  /** Closes the storages, drops the schemas and ends the pool. */
  dispose(): Promise<void>
}

/**
 * Opens a pool on a server, for tests on any runtime.
 *
 * @param options options of the storages, in addition to pool and schema.
 */
export function schemasOfPostgres(
  server: pg.PoolConfig,
  options: Omit<PostgresStorageOptions, 'pool' | 'schema'> = {},
): PostgresStorages {
  const pool = new pg.Pool({ ...server, max: 8 })
  const schemas = new Map<Storage, string>()
  function schemaOf(storage: Storage): string {
    const schema = schemas.get(storage)
    if (schema === undefined) throw new Error('the storage was not opened by this function')
    return schema
  }
  function storageOn(schema: string): Storage {
    const storage = createPostgresStorage({ ...options, pool, schema })
    schemas.set(storage, schema)
    return storage
  }
  return {
    pool,
    async open() {
      const storage = storageOn(uniqueSchema())
      await storage.migrate()
      return storage
    },
    async reopen(storage) {
      const schema = schemaOf(storage)
      await storage.close()
      return storageOn(schema)
    },
    openSecond: async (storage) => storageOn(schemaOf(storage)),
    async dispose() {
      for (const storage of schemas.keys()) await storage.close()
      for (const schema of new Set(schemas.values())) await pool.query(`drop schema if exists "${schema}" cascade`)
      await pool.end()
    },
  }
}

/** Returns a name that no other test uses. */
export function uniqueSchema(): string {
  return `test_${crypto.randomUUID().replaceAll('-', '')}`
}
