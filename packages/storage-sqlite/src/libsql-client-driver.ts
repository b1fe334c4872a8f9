import { type ConnectionOptions, retryWhileBusy } from './connection-driver.ts'
import { writeBatches } from './d1-driver.ts'
import type { Row, SqliteDriver, Statement } from './sqlite-driver.ts'

/** A client of `@libsql/client`: a Turso database over HTTP or a WebSocket, or a file. */
export interface LibsqlClient {
  /** Runs statements in one transaction. */
  batch(
    statements: { sql: string; args: (string | number | null)[] }[],
    mode: 'read' | 'write',
  ): Promise<{ columns: string[]; rows: ArrayLike<unknown>[] }[]>
  execute(sql: string): Promise<unknown>
  /** `file` for a file, else the protocol of the connection. */
  readonly protocol: string
}

/** Makes a driver for a client of `@libsql/client`. Each call is one request. */
export function libsqlClientDriver(client: LibsqlClient, options: ConnectionOptions): SqliteDriver {
  async function run(statements: readonly Statement[], mode: 'read' | 'write'): Promise<(readonly Row[])[]> {
    if (statements.length === 0) return []
    const requests = statements.map(({ text, values }) => ({ sql: text, args: [...values] }))
    const results = await retryWhileBusy(() => client.batch(requests, mode), options.busyTimeoutMs)
    return results.map(({ columns, rows }) => rows.map((row) => rowOf(columns, row)))
  }
  return {
    read: (statements) => run(statements, 'read'),
    write: (batches) => writeBatches((statements) => run(statements, 'write'), batches),
    otherWriters: 'invisible',
    hasTemporaryTables: false,
    indexesTerms: true,
    sharesRequests: true,
    nextTurn: async () => {},
  }
}

function rowOf(columns: readonly string[], values: ArrayLike<unknown>): Row {
  return Object.fromEntries(columns.map((column, i) => [column, values[i] as Row[string]]))
}
