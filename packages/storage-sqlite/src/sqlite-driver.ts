import type { Sql } from './sql.ts'

/** A statement, and whether it returns rows. */
export interface Statement extends Sql {
  readonly returnsRows: boolean
}

/** A row of a result; its columns are texts, numbers or null. */
export type Row = Readonly<Record<string, string | number | null>>

/** The rows of each statement of a transaction, or the error of a constraint that undid the transaction. */
export type WriteResult = { readonly rows: readonly (readonly Row[])[] } | { readonly refusedBy: unknown }

/**
 * Everything that the storage needs of a database: the execution of statements whose number and text are known in
 * advance. No transaction stays open between two calls, because D1 does not support such transactions.
 */
export interface SqliteDriver {
  /** Runs statements on one snapshot of the database, and returns the rows of each. */
  read(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>
  /**
   * Writes batches of statements in their order, each entirely or not at all. A constraint that a statement violates
   * undoes its batch alone.
   */
  write(batches: readonly (readonly Statement[])[]): Promise<readonly WriteResult[]>
  /**
   * Detection of commits of other processes: synchronous reads, or `invisible` when such commits cannot be detected, or
   * `none` when no other process can commit, because the database belongs to one process.
   */
  readonly otherWriters: ImmediateReads | 'invisible' | 'none'
  /**
   * False in a runtime that ends the work of a request when its caller has the response, so that one caller cannot wait
   * for the work of another. Each caller then writes its own commits.
   */
  readonly sharesRequests: boolean
  /** Resolves when other callers have had the opportunity to add a commit to the same transaction. */
  nextTurn(): Promise<void>
  /** True when a connection can create temporary tables. Writing to them does not block other connections. */
  readonly hasTemporaryTables: boolean
  /**
   * False for a database whose lists read their whole range instead of an index of terms. Such an index is a virtual
   * table, and a database with a virtual table could not be exported.
   */
  readonly indexesTerms: boolean
}

/** A database, and the account whose rows are read. */
export interface AccountDatabase {
  readonly driver: SqliteDriver
  readonly account: string
}

/** Makes a statement that returns rows. */
export function select({ text, values }: Sql): Statement {
  return { text, values, returnsRows: true }
}

/** Makes a statement that returns no rows. */
export function change({ text, values }: Sql): Statement {
  return { text, values, returnsRows: false }
}

/** Reads that return their result synchronously. */
export interface ImmediateReads {
  /** Returns a number that changes when another connection commits. */
  dataVersion(): number
  read(statement: Statement): readonly Row[]
}
