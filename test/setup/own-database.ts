import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { postgresUrl } from './postgres-url.ts'

export interface OwnDatabase {
  /** URL for the option `--storage`. */
  readonly url: string
  readonly pool: pg.Pool
  drop(): Promise<void>
}

/** Creates an empty database on the test server, for processes that use the default schema. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const server = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Pool({ ...server, max: 1 })
  await admin.query(`create database ${name}`)
  const url = urlOf(server, name)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // Dropping the database ends connections that are still open.
  pool.on('error', () => {})
  return {
    url,
    pool,
    async drop() {
      await pool.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

function urlOf(server: ReturnType<typeof inject<'postgres'>>, name: string): string {
  if ('connectionString' in server) {
    const url = new URL(server.connectionString)
    url.pathname = `/${name}`
    return url.href
  }
  return postgresUrl({ ...server, database: name })
}
