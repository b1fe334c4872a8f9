/** The part of a pool that the storage uses: a `pg.Pool`, or any pool with these methods. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** Adds a listener for connections that the pool opens and removes. */
  on?(event: 'connect' | 'remove', listener: (client: PostgresClient) => void): unknown
  removeListener?(event: 'connect' | 'remove', listener: (client: PostgresClient) => void): unknown
  /** Maximum number of connections. With a single one, the storage does not listen. */
  readonly options?: { readonly max?: number }
  /** True when the pool is about to end. */
  readonly ending?: boolean
}

/** A client of the host in an open transaction, as callers pass it in. */
export interface PostgresTransaction {
  query(statement: { text: string; values?: unknown[]; name?: string }): Promise<PostgresResult>
  /** Returns `I` when no transaction is open. */
  getTransactionStatus?(): string | null
}

/** A connection that is checked out of a pool. */
export interface PostgresClient extends PostgresTransaction {
  /** Returns the client to the pool. With an error, the connection is broken and must not be used again. */
  release(error?: Error): void
  on?: {
    (event: 'error', listener: (error: Error) => void): unknown
    (event: 'end', listener: () => void): unknown
    (event: 'notification', listener: (notification: PostgresNotification) => void): unknown
  }
  removeListener?: PostgresClient['on']
  /** Makes the process stay alive for the connection; `unref` reverts this. */
  ref?(): void
  unref?(): void
}

/** A message that `LISTEN` receives. */
export interface PostgresNotification {
  readonly payload?: string
}

export interface PostgresResult {
  readonly rows: unknown[]
  readonly rowCount: number | null
}
