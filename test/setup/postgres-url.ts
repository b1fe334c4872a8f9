import type { PostgresConnection } from './postgres-server.ts'

/**
 * Returns a connection as a URL. The path of a Unix socket goes into the query, because it cannot be the host of a URL.
 */
export function postgresUrl({ user, port, host, database }: PostgresConnection): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
