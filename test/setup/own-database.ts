import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { postgresUrl } from './postgres-url.ts'
import { testPostgres } from './test-postgres.ts'
import type { TestServices } from './test-services.ts'

/** Name of the test's own connections. */
const ownName = 'test'

export interface OwnDatabase {
  /** URL for the option `--storage`. */
  readonly url: string
  readonly pool: pg.Pool
  /**
   * Waits until the server has ended the connections of killed processes. Until then the server still commits
   * statements that these processes had sent.
   */
  othersEnded(): Promise<void>
  drop(): Promise<void>
}

/** Creates an empty database on the test server, for processes that use the default schema. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const server = testPostgres
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Pool({ ...server, max: 1 })
  await admin.query(`create database ${name}`)
  const url = urlOf(server, name)
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: ownName })
  // Dropping the database ends connections that are still open.
  pool.on('error', () => {})
  return {
    url,
    pool,
    async othersEnded() {
      const others =
        "select pid from pg_stat_activity where datname = $1 and application_name <> $2 and backend_type = 'client backend'"
      const expectNone = async () => expect((await pool.query(others, [name, ownName])).rows).toEqual([])
      await vi.waitFor(expectNone, { timeout: 60_000 })
    },
    async drop() {
      await pool.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

function urlOf(server: TestServices['postgres'], name: string): string {
  if ('connectionString' in server) {
    const url = new URL(server.connectionString)
    url.pathname = `/${name}`
    return url.href
  }
  return postgresUrl({ ...server, database: name })
}
