import { storageUnavailable } from '@halyard/core/storage'
import { ConnectionTransactions, type SqliteConnection } from './connection.ts'
import { sql } from './sql.ts'
import { type SqliteDriver, select } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/** Options of a connection. */
export interface ConnectionOptions {
  /** Value of `pragma synchronous`. */
  readonly synchronous: 'full' | 'normal'
  /** Time for which a call waits for another connection that has locked the database, ms. */
  readonly busyTimeoutMs: number
}

/** Time for which SQLite itself waits for a lock, ms. It stops all other work of the process. */
const blockingWaitMs = 5

/** Maximum time between two attempts to lock the database, ms. */
const maxPauseMs = 20

/**
 * Makes a driver for a connection in this process. Every call runs without a pause from its first statement to its
 * last, so calls of one connection do not see each other's transactions.
 */
export function connectionDriver(connection: SqliteConnection, options: ConnectionOptions): SqliteDriver {
  const transactions = new ConnectionTransactions(connection)
  let isConfigured = false
  /** Resolves at the next turn of the event loop, for which pending commits wait. */
  let turn: Promise<void> | undefined

  function configure(): void {
    if (isConfigured) return
    connection.exec(`pragma busy_timeout = ${blockingWaitMs}`)
    connection.prepare('pragma journal_mode = wal').all()
    connection.exec(`pragma synchronous = ${options.synchronous}`)
    isConfigured = true
  }

  const whileBusy = <T>(work: () => T) =>
    retryWhileBusy(() => {
      configure()
      return work()
    }, options.busyTimeoutMs)

  return {
    async read(statements) {
      // Without this wait, a caller that reads repeatedly would forever postpone the commits that wait for the next
      // turn.
      await turn
      return whileBusy(() => transactions.read(statements))
    },
    write: (batches) => whileBusy(() => transactions.write(batches)),
    otherWriters: {
      dataVersion: () => Number(transactions.run(select(sql`pragma data_version`))[0]?.data_version),
      read: (statement) => transactions.run(statement),
    },
    hasTemporaryTables: true,
    indexesTerms: true,
    sharesRequests: true,
    nextTurn: () => (turn = nextTurnOfEventLoop().finally(() => (turn = undefined))),
  }
}

/** Runs the work, and runs it again while another connection has locked the database. */
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
    // The random part keeps processes that wait for the same lock from trying again at the same time.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)))
  }
}

type Immediate = { readonly setImmediate?: (work: () => void) => unknown }

function nextTurnOfEventLoop(): Promise<void> {
  const { setImmediate } = globalThis as Immediate
  return setImmediate ? new Promise((resolve) => void setImmediate(resolve)) : Promise.resolve()
}
