import type { Row, SqliteDriver, Statement, WriteResult } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/** The storage of a Durable Object with SQLite: `ctx.storage`. */
export interface DurableObjectStorage {
  readonly sql: {
    exec(text: string, ...values: unknown[]): { toArray(): unknown[] }
  }
  transactionSync<T>(work: () => T): T
}

/**
 * Makes a driver for a Durable Object, the only process that has its database. The runtime confirms writes to the disk
 * before it sends a response.
 */
export function durableObjectDriver(storage: DurableObjectStorage): SqliteDriver {
  const run = ({ text, values }: Statement) => storage.sql.exec(text, ...values).toArray() as Row[]

  function writeBatch(statements: readonly Statement[]): WriteResult {
    try {
      return { rows: storage.transactionSync(() => statements.map(run)) }
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      return { refusedBy: error }
    }
  }

  return {
    read: async (statements) => statements.map(run),
    write: async (batches) => batches.map(writeBatch),
    otherWriters: 'none',
    hasTemporaryTables: false,
    indexesTerms: true,
    sharesRequests: true,
    nextTurn: async () => {},
  }
}
