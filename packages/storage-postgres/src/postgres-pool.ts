/** What the storage uses of a pool: `pg.Pool` fits, and so does every pool made in its likeness. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** Hears of connections that the pool opens and gives up. */
  on?(event: 'connect' | 'remove', listener: (client: PostgresClient) => void): unknown
  removeListener?(event: 'connect' | 'remove', listener: (client: PostgresClient) => void): unknown
  /** How many connections it may have: with one alone nothing is watched. */
  readonly options?: { readonly max?: number }
  /** Whether it is about to end. */
  readonly ending?: boolean
}

/** What is sent in: a client of the host in an open transaction. */
export interface PostgresTransaction {
  query(statement: { text: string; values?: unknown[]; name?: string }): Promise<PostgresResult>
  /** `I` where no transaction is open. */
  getTransactionStatus?(): string | null
}

/** One connection of a pool, as it is checked out. */
export interface PostgresClient extends PostgresTransaction {
  /** With an error: the connection is broken and must not be used again. */
  release(error?: Error): void
  on?: {
    (event: 'error', listener: (error: Error) => void): unknown
    (event: 'end', listener: () => void): unknown
    (event: 'notification', listener: (notification: PostgresNotification) => void): unknown
  }
  removeListener?: PostgresClient['on']
  /** Whether the process waits for the connection. */
  ref?(): void
  unref?(): void
}

/** What `LISTEN` is told. */
export interface PostgresNotification {
  readonly payload?: string
}

export interface PostgresResult {
  readonly rows: unknown[]
  readonly rowCount: number | null
}
