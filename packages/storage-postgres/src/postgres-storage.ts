import type { Storage } from '@halyard/core/storage'
import { poolDriver } from './pool-driver.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { createSqlStorage } from './sql-storage.ts'

/** Options of `createPostgresStorage`. */
export interface PostgresStorageOptions {
  /** A `pg.Pool`, or any pool with the same methods. It belongs to the host: `close` leaves it open. */
  readonly pool: PostgresPool
  /** Name of the schema that contains the tables: 1 to 40 characters of `[a-z0-9_]`. Default `halyard`. */
  readonly schema?: string
  /**
   * Prepares repeated statements once per connection. Default: true. Set it to false behind a pooler that assigns a
   * connection per transaction and does not support prepared statements.
   */
  readonly prepare?: boolean
  /**
   * Listens for commits of other processes, which occupies one connection of the pool while a caller watches. Default:
   * true. Behind a pooler that assigns a connection per transaction, notices do not arrive: pass a `watchPool`, or set
   * `watch` to false. Notices about commits of this storage are sent in any case.
   */
  readonly watch?: boolean
  /**
   * A pool that connects to the server itself, for listening, while `pool` connects to a pooler. One connection is
   * enough. It belongs to the host: `close` leaves it open. Default: `pool`.
   */
  readonly watchPool?: PostgresPool
  /**
   * Sends notices about its commits to other processes. Default: true. Postgres writes transactions with a notice to
   * disk one after the other, which slows down many concurrent writers. Set it to false only when no other process and
   * no other storage object uses the schema, because their caches would become stale.
   */
  readonly notify?: boolean
}

/**
 * Creates a storage on a Postgres database (15 or newer, encoding UTF-8). Nothing is sent before the first verb, and
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
  watchPool,
  notify = true,
}: PostgresStorageOptions): Storage {
  return createSqlStorage({ name: 'postgres', driver: poolDriver(pool, { prepare, watch, watchPool }), schema, notify })
}
