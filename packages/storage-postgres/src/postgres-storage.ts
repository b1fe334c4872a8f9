import type { Storage } from '@halyard/core/storage'
import { type PostgresPool, poolDriver } from './pool-driver.ts'
import { createSqlStorage } from './sql-storage.ts'

/** Which pool is used, and what it can do. */
export interface PostgresStorageOptions {
  /** A `pg.Pool`, or any pool made in its likeness. It belongs to the host: `close` leaves it open. */
  readonly pool: PostgresPool
  /** The schema that holds the tables: 1 to 40 of `[a-z0-9_]`. Default `halyard`. */
  readonly schema?: string
  /**
   * Whether repeated statements are prepared once per connection. Default true. Turn it off behind a pooler that hands
   * each transaction another connection and knows nothing of prepared statements.
   */
  readonly prepare?: boolean
  /**
   * Whether what other processes commit is listened for, which takes one connection out of the pool while somebody
   * watches. Default true. Turn it off behind a pooler that hands each transaction another connection: what is sent to
   * one that listens does not arrive there. Others are told of what is committed here all the same.
   */
  readonly watch?: boolean
  /**
   * Whether others are told of what is committed here. Default true. Postgres writes transactions with a notice to disk
   * one after the other, so many writers at once are slower by it. Turn it off only where no other process and no other
   * storage object uses the schema: they would go on remembering what is no longer so.
   */
  readonly notify?: boolean
}

/**
 * Makes a storage of a Postgres database (15 or newer, encoding UTF-8). Nothing is sent before the first verb, and
 * nothing is created except by `migrate()`.
 *
 * @throws TypeError when the schema's name is not 1 to 40 of `[a-z0-9_]`.
 *
 * @example
 * ```ts
 * import { createPostgresStorage } from '@halyard/storage-postgres'
 * import pg from 'pg'
 *
 * // The first use of the storage connects.
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
 * const storage = createPostgresStorage({ pool })
 * console.log(storage.name) // postgres
 * await storage.close()
 * await pool.end()
 * ```
 */
export function createPostgresStorage({
  pool,
  schema,
  prepare = true,
  watch = true,
  notify = true,
}: PostgresStorageOptions): Storage {
  return createSqlStorage({ name: 'postgres', driver: poolDriver(pool, { prepare, watch }), schema, notify })
}
