/**
 * All that the SQL storage asks of a database connection. A sibling of Postgres is one more driver: this interface
 * over its client, nothing else (`@halyard/storage-pglite` is the example).
 */
export interface SqlDriver {
  /** Runs one statement on its own: it is its own transaction. */
  query: Query
  /**
   * Runs statements in one READ COMMITTED transaction: committed when `work` resolves, rolled back when it throws.
   * Inside `work` only the query handed in may be used.
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /**
   * Reads what some queries select, one after the other, as all of it was at one moment: when the first rows are asked
   * for. Others may write meanwhile, also whoever reads. Ending it, by `return()` too, gives back what it holds.
   */
  read(selections: readonly Selection[]): AsyncIterable<SelectedRows>
  /**
   * Listens on a channel of `pg_notify`, on a connection that is kept for it. Only where clients can.
   *
   * @throws what `cannotListen` makes when it is no use to try again.
   */
  listen?(channel: string, ear: Ear): Promise<Listening>
  /**
   * The same database inside a transaction that the host has open. Only where hosts have such.
   *
   * @throws TypeError for what is none.
   */
  within?(transaction: unknown): SqlDriver
  /** Everything happens in one transaction of the host, which a statement that fails would end: see `within`. */
  readonly inHostTransaction?: boolean
  /** Releases what the driver itself opened. */
  close(): Promise<void>
}

/** Where notices go. */
export interface Ear {
  heard(payload: string): void
  /** The connection is gone. */
  lost(): void
}

/** A connection that hears what others commit. */
export interface Listening {
  /** Resolves when the other end has answered: all that was sent before has been heard by then. */
  ping(): Promise<void>
  /** Stops listening and gives the connection back; never rejects. Safe to call twice, and after it was lost. */
  end(): Promise<void>
}

/** Sends one statement and resolves with what it gave. */
export type Query = <Row>(statement: Statement) => Promise<SqlResult<Row>>

/** SQL with its parameters. */
export interface Statement {
  /** SQL with `$1`, `$2`, …; it never contains a value. */
  readonly text: string
  readonly values: readonly SqlValue[]
  /**
   * Set when the same text comes again and again, so that a driver may prepare it once per connection.
   * One name stands for one text.
   */
  readonly name?: string
}

/** A query that may find very much. */
export interface Selection extends Statement {
  /** How many rows to fetch at once. */
  readonly rows: number
}

/** The rows of one of several selections that were made at once. */
export interface SelectedRows {
  /** Index of the selection that they belong to. */
  readonly selection: number
  /** At least one. */
  readonly rows: readonly Readonly<Record<string, SqlScalar>>[]
}

/** A value that every client reads and writes alike. */
export type SqlScalar = string | number | boolean | null
/** A parameter of a statement: a value, or an array of them. */
export type SqlValue = SqlScalar | readonly SqlScalar[]

/** What a statement gave. */
export interface SqlResult<Row> {
  /** Rows as objects. Statements select only text, int, float8 and boolean, which every client reads alike. */
  readonly rows: readonly Row[]
  /** Rows inserted, updated or deleted. */
  readonly count: number
}
