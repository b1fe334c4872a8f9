import type { PostgresConnection } from './postgres-server.ts'

/** A connection as a URL; a path of a Unix socket is no host of one. */
export function postgresUrl({ user, port, host, database }: PostgresConnection): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
