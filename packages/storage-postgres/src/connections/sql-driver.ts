/**
 * All that the SQL storage needs of a database connection. To support another database that is compatible with
 * Postgres, implement this interface with its client (`@halyard/storage-pglite` is an example).
 */
export interface SqlDriver {
  /** Runs one statement in a transaction of its own. */
  query: Query
  /**
   * Runs statements in one READ COMMITTED transaction: committed when `work` resolves, rolled back when it throws.
   * `work` may only use the query function that it receives.
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /**
   * Reads the rows of several selections one after the other, all from one snapshot, which is taken when the first rows
   * are requested. Other callers, and the caller itself, may write concurrently. Ending the iteration, also by
   * `return()`, releases its resources.
   */
  read(selections: readonly Selection[]): AsyncIterable<SelectedRows>
  /**
   * Listens on a channel of `pg_notify`, on a connection that is reserved for it. Undefined when the clients cannot
   * listen.
   *
   * @throws the error of `listenError` when trying again is useless.
   */
  listen?(channel: string, listener: NotificationListener): Promise<Subscription>
  /**
   * Returns a driver for the same database inside a transaction that the host has opened. Undefined when hosts have no
   * such transactions.
   *
   * @throws TypeError when the value is not a transaction.
   */
  within?(transaction: unknown): SqlDriver
  /** Servers for reads that need not be up to date. Default: no such servers. */
  readonly replicas?: readonly Replica[]
  /**
   * True when all statements run in one transaction of the host, which a failing statement would end (see `within`).
   */
  readonly inHostTransaction?: boolean
  /** Releases what the driver itself opened. */
  close(): Promise<void>
}

/** A replica of the primary from which the storage reads. */
export interface Replica {
  /**
   * Runs a read on the replica.
   *
   * @param position the position in the write-ahead log that the replica must have replayed.
   * @returns undefined when the replica is behind that position, or does not answer.
   */
  queryAt<Row>(position: number, statement: Statement): Promise<SqlResult<Row> | undefined>
}

/** Receives change notifications. */
export interface NotificationListener {
  onNotification(payload: string): void
  /** Called when the connection is lost. */
  onLost(): void
}

/** A connection that receives change notifications about the commits of other processes. */
export interface Subscription {
  /** Resolves when the server has responded. All notifications that were sent before have then been received. */
  ping(): Promise<void>
  /**
   * Stops listening and returns the connection to its pool. Never rejects. Safe to call twice, and after the connection
   * was lost.
   */
  end(): Promise<void>
}

/** Sends one statement and resolves with its result. */
export type Query = <Row>(statement: Statement) => Promise<SqlResult<Row>>

/** SQL with its parameters. */
export interface Statement {
  /** SQL with `$1`, `$2`, …; it never contains a value. */
  readonly text: string
  readonly values: readonly SqlValue[]
  /**
   * Set when the same text is sent repeatedly, so that a driver may prepare it once per connection. One name identifies
   * one text.
   */
  readonly name?: string
  /** True for a text that is composed of parts. If the same text is sent often, it gets a name. */
  readonly composed?: true
  /** True for a statement of the application, whose parameters are sent as they are. */
  readonly ofApplication?: true
}

/** A query that may return very many rows. */
export interface Selection extends Statement {
  /** Number of rows to fetch at a time. */
  readonly rows: number
}

/** Rows of one of several selections that are read together. */
export interface SelectedRows {
  /** Index of the selection that they belong to. */
  readonly selection: number
  /** At least one row. */
  readonly rows: readonly Readonly<Record<string, SqlScalar>>[]
}

/** A value that all clients read and write in the same way. */
export type SqlScalar = string | number | boolean | null
/** A parameter of a statement: a value, or an array of values. */
export type SqlValue = SqlScalar | readonly SqlScalar[]

/** The result of a statement. */
export interface SqlResult<Row> {
  /** Rows as objects. Statements select only text, int, float8 and boolean, which all clients read in the same way. */
  readonly rows: readonly Row[]
  /** Number of rows inserted, updated or deleted. */
  readonly count: number
}
