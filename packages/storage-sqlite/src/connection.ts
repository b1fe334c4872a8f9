import type { Row, Statement, WriteResult } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/** A database of `libsql`, `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
export interface SqliteConnection {
  prepare(text: string): SqliteStatement
  /** Runs statements that return no rows. */
  exec(text: string): unknown
}

/** A prepared statement of a SQLite database in this process. */
export interface SqliteStatement {
  /** Returns all rows as objects. */
  all(...values: (string | number | null)[]): unknown[]
  run(...values: (string | number | null)[]): unknown
}

/** Maximum number of statements that are kept prepared. */
const maxPrepared = 256

/** Runs statements and transactions on a connection. */
export class ConnectionTransactions {
  readonly #connection: SqliteConnection
  readonly #prepared = new Map<string, SqliteStatement>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Runs a statement and returns its rows. */
  run({ text, values, returnsRows }: Statement): readonly Row[] {
    const statement = this.#prepare(text)
    if (returnsRows) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  }

  /** Runs statements on one snapshot of the database. */
  read(statements: readonly Statement[]): (readonly Row[])[] {
    const all = () => statements.map((statement) => this.run(statement))
    return statements.length === 1 ? all() : this.#transact('begin', all)
  }

  /** Writes batches in one transaction, each under a savepoint. */
  write(batches: readonly (readonly Statement[])[]): WriteResult[] {
    return this.#transact('begin immediate', () => batches.map((statements) => this.#writeBatch(statements)))
  }

  #transact<T>(begin: string, work: () => T): T {
    this.#prepare(begin).run()
    try {
      const result = work()
      this.#prepare('commit').run()
      return result
    } catch (error) {
      this.#rollBack(error)
      throw error
    }
  }

  /** Rolls back, unless SQLite itself has ended the transaction, as after some errors, e.g. when the disk is full. */
  #rollBack(cause: unknown): void {
    try {
      this.#prepare('rollback').run()
    } catch (error) {
      if (!/no transaction/.test(String(error))) throw new AggregateError([cause, error], 'cannot roll back')
    }
  }

  #writeBatch(statements: readonly Statement[]): WriteResult {
    this.#prepare('savepoint halyard_batch').run()
    try {
      const rows = statements.map((statement) => this.run(statement))
      this.#prepare('release savepoint halyard_batch').run()
      return { rows }
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      this.#prepare('rollback to savepoint halyard_batch').run()
      this.#prepare('release savepoint halyard_batch').run()
      return { refusedBy: error }
    }
  }

  #prepare(text: string): SqliteStatement {
    const statement = this.#prepared.get(text) ?? this.#connection.prepare(text)
    this.#prepared.delete(text)
    this.#prepared.set(text, statement)
    if (this.#prepared.size > maxPrepared) this.#prepared.delete(this.#prepared.keys().next().value ?? '')
    return statement
  }
}
