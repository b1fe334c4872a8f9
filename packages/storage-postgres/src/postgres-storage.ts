import type { Storage } from '@halyard/core/storage'
import { poolDriver } from './connections/pool-driver.ts'
import type { PostgresJsClient } from './connections/postgres-js-client.ts'
import type { PostgresPool } from './connections/postgres-pool.ts'
import { checkPartitions } from './schema/partitions.ts'
import { createSqlStorage } from './sql-storage.ts'

/** Options of `createPostgresStorage`. */
export interface PostgresStorageOptions {
  /**
   * A `pg.Pool`, any pool with the same methods, such as that of `@neondatabase/serverless`, or a client of
   * postgres.js. It belongs to the host: `close` leaves it open.
   */
  readonly pool: PostgresPool | PostgresJsClient
  /** Name of the schema that contains the tables: 1 to 40 characters of `[a-z0-9_]`. Default `halyard`. */
  readonly schema?: string
  /**
   * Prepares repeated statements once per connection. Default: true. Set it to false behind a pooler that assigns a
   * connection per transaction and does not support prepared statements.
   */
  readonly prepare?: boolean
  /**
   * Listens for commits of other processes, which occupies one connection of the pool while a caller watches. Default:
   * true. Behind a pooler that assigns a connection per transaction, change notifications do not arrive: pass a
   * `watchPool`, or set `watch` to false. Notifications about commits of this storage are sent in any case.
   */
  readonly watch?: boolean
  /**
   * A pool that connects to the server itself, for listening, while `pool` connects to a pooler. One connection is
   * enough. It belongs to the host: `close` leaves it open. Default: `pool`.
   */
  readonly watchPool?: PostgresPool | PostgresJsClient
  /**
   * Pools of connections to streaming replicas, for reads that may lack what other processes committed a moment ago. A
   * read runs on a replica only when the replica has every commit that this storage has made or been notified of, so a
   * caller always reads what it has written. Each pool leads to one replica, or assigns connections by session. They
   * belong to the host: `close` leaves them open. Default: no replicas.
   */
  readonly replicas?: readonly PostgresPool[]
  /**
   * Number of hash partitions by account that `migrate()` creates for each table of a new schema, 0 to 256. A schema
   * that exists keeps the tables that it has. Default: 0, for plain tables.
   */
  readonly partitions?: number
  /**
   * Sends change notifications about its commits to other processes. Default: true. Postgres writes transactions with
   * a notification to disk one after the other, which slows down many concurrent writers. Set it to false only when no
   * other process and no other storage object uses the schema, because their caches would become stale.
   */
  readonly notify?: boolean
}

/**
 * Creates a storage on a Postgres database (15 or newer, encoding UTF-8). Nothing is sent before the first call, and
 * only `migrate()` creates tables.
 *
 * @throws TypeError when the schema's name is not 1 to 40 of `[a-z0-9_]`, and for replicas without change
 *   notifications.
 * @throws RangeError for a number of partitions that is not from 0 to 256.
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
  replicas = [],
  partitions = 0,
  notify = true,
}: PostgresStorageOptions): Storage {
  // Without change notifications, a storage does not know which commits of other processes a replica must have.
  if (replicas.length > 0 && !(watch && notify)) throw new TypeError('replicas: need `watch` and `notify`')
  const driver = poolDriver(pool, { prepare, watch, watchPool, replicas })
  return createSqlStorage({ name: 'postgres', driver, schema, partitions: checkPartitions(partitions), notify })
}
