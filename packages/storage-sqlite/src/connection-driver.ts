import { storageUnavailable } from '@halyard/core/storage'
import type { ImmediateReads, Row, SqliteDriver, Statement, WriteResult } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/** A database of `libsql`, `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
export interface SqliteConnection {
  prepare(text: string): SqliteStatement
  /** Runs statements that return no rows. */
  exec(text: string): unknown
}

/** A prepared statement of such a database. */
export interface SqliteStatement {
  /** Returns all rows as objects. */
  all(...values: (string | number | null)[]): unknown[]
  run(...values: (string | number | null)[]): unknown
}

/** Options of a connection. */
export interface ConnectionOptions {
  /** Value of `pragma synchronous`. */
  readonly synchronous: 'full' | 'normal'
  /** Time for which a call waits for another connection that has locked the database, ms. */
  readonly busyTimeoutMs: number
}

/** Maximum number of statements that are kept prepared. */
const maxPrepared = 256

/** Time for which SQLite itself waits for a lock, ms. It stops all other work of the process. */
const blockingWaitMs = 5

/** Maximum time between two attempts to lock the database, ms. */
const maxPauseMs = 20

/**
 * Makes a driver for a connection in this process. Every call runs without a pause from its first statement to its last,
 * so calls of one connection do not see each other's transactions.
 */
export function connectionDriver(connection: SqliteConnection, options: ConnectionOptions): SqliteDriver {
  const prepared = new Map<string, SqliteStatement>()
  let isConfigured = false
  /** The turn of the event loop for which commits wait. */
  let turn: Promise<void> | undefined

  function prepare(text: string): SqliteStatement {
    const known = prepared.get(text)
    const statement = known ?? connection.prepare(text)
    prepared.delete(text)
    prepared.set(text, statement)
    if (prepared.size > maxPrepared) prepared.delete(prepared.keys().next().value ?? '')
    return statement
  }

  function run({ text, values, returnsRows }: Statement): readonly Row[] {
    const statement = prepare(text)
    if (returnsRows) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  }

  function configure(): void {
    if (isConfigured) return
    connection.exec(`pragma busy_timeout = ${blockingWaitMs}`)
    connection.prepare('pragma journal_mode = wal').all()
    connection.exec(`pragma synchronous = ${options.synchronous}`)
    isConfigured = true
  }

  function inTransaction<T>(begin: string, work: () => T): T {
    prepare(begin).run()
    try {
      const result = work()
      prepare('commit').run()
      return result
    } catch (error) {
      rollBack(error)
      throw error
    }
  }

  /** SQLite itself ends the transaction after some errors, e.g. when the disk is full. */
  function rollBack(cause: unknown): void {
    try {
      prepare('rollback').run()
    } catch (error) {
      if (!/no transaction/.test(String(error))) throw new AggregateError([cause, error], 'cannot roll back')
    }
  }

  function writeBatch(statements: readonly Statement[]): WriteResult {
    prepare('savepoint halyard_batch').run()
    try {
      const rows = statements.map(run)
      prepare('release savepoint halyard_batch').run()
      return { rows }
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      prepare('rollback to savepoint halyard_batch').run()
      prepare('release savepoint halyard_batch').run()
      return { refusedBy: error }
    }
  }

  const whileBusy = <T>(work: () => T) =>
    retryWhileBusy(() => {
      configure()
      return work()
    }, options.busyTimeoutMs)

  const immediateReads: ImmediateReads = {
    dataVersion: () => Number((prepare('pragma data_version').all()[0] as Row | undefined)?.data_version),
    read: run,
  }

  return {
    async read(statements) {
      // A caller that reads repeatedly would otherwise postpone the commits that wait for the next turn forever.
      await turn
      return whileBusy(() => {
        const [first, ...others] = statements
        return first && others.length === 0 ? [run(first)] : inTransaction('begin', () => statements.map(run))
      })
    },
    write: (batches) => whileBusy(() => inTransaction('begin immediate', () => batches.map(writeBatch))),
    otherWriters: immediateReads,
    hasTemporaryTables: true,
    nextTurn: () => (turn = nextTurnOfEventLoop().finally(() => (turn = undefined))),
  }
}

/** Tries again while another connection has locked the database. */
export async function retryWhileBusy<T>(work: () => T | Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (let pause = 1; ; pause = Math.min(2 * pause, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (classifyError(error) !== 'busy') throw error
      if (performance.now() > deadline) {
        throw storageUnavailable(`another process has locked the database for ${timeoutMs} ms`, error)
      }
    }
    // Processes that wait for the same lock do not try again at the same time.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)))
  }
}

type Immediate = { readonly setImmediate?: (work: () => void) => unknown }

function nextTurnOfEventLoop(): Promise<void> {
  const { setImmediate } = globalThis as Immediate
  return setImmediate ? new Promise((resolve) => void setImmediate(resolve)) : Promise.resolve()
}
