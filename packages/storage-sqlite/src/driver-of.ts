import type { SqliteConnection } from './connection.ts'
import { type ConnectionOptions, connectionDriver } from './connection-driver.ts'
import { type D1Database, d1Driver } from './d1-driver.ts'
import { type DurableObjectStorage, durableObjectDriver } from './durable-object-driver.ts'
import { type LibsqlClient, libsqlClientDriver } from './libsql-client-driver.ts'
import type { SqliteDriver } from './sqlite-driver.ts'

/** A database on which a storage can be created. */
export type SqliteDatabase = SqliteConnection | D1Database | DurableObjectStorage | LibsqlClient

/**
 * Returns the driver for a database, which is recognized by its methods.
 *
 * @throws TypeError for a database that is not supported.
 */
export function driverOf(database: SqliteDatabase, options: ConnectionOptions): SqliteDriver {
  if (has(database, 'transactionSync')) return durableObjectDriver(database as DurableObjectStorage)
  if (has(database, 'batch') && has(database, 'execute')) return libsqlClientDriver(database as LibsqlClient, options)
  if (has(database, 'batch') && has(database, 'prepare')) return d1Driver(database as D1Database)
  if (has(database, 'prepare') && has(database, 'exec')) return connectionDriver(database as SqliteConnection, options)
  throw new TypeError(
    'database: must be a database of libsql, better-sqlite3, node:sqlite or bun:sqlite, a D1 database, the storage of a Durable Object, or a client of @libsql/client',
  )
}

function has(value: unknown, method: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[method] === 'function'
}
