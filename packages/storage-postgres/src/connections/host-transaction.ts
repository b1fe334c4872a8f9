import type { Query, SqlDriver } from './sql-driver.ts'

/**
 * The last queued statement of each transaction. The statements of a transaction run one after the other, even when
 * several callers send them.
 */
const lastQueued = new WeakMap<object, Promise<unknown>>()

const savepoint = 'halyard_batch'

/**
 * Makes a driver inside a transaction that the host has opened. `begin`, `commit` and `rollback` are left to the host.
 * Statements that belong together run under a savepoint, so that a failure undoes only them.
 *
 * @param transaction identifies the transaction; all drivers of one transaction share a queue.
 * @param query sends a statement in the transaction.
 */
export function hostTransactionDriver(transaction: object, query: Query): SqlDriver {
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const previous = lastQueued.get(transaction) ?? Promise.resolve()
    const result = previous.then(work)
    lastQueued.set(
      transaction,
      result.catch(() => {}),
    )
    return result
  }
  const run = (text: string) => query({ text, values: [] })

  async function underSavepoint<T>(work: (query: Query) => Promise<T>): Promise<T> {
    await run(`savepoint ${savepoint}`)
    try {
      const result = await work(query)
      await run(`release savepoint ${savepoint}`)
      return result
    } catch (error) {
      await run(`rollback to savepoint ${savepoint}`)
      await run(`release savepoint ${savepoint}`)
      throw error
    }
  }

  return {
    inHostTransaction: true,
    query: (statement) => inTurn(() => query(statement)),
    transaction: (work) => inTurn(() => underSavepoint(work)),
    read() {
      throw new Error('a snapshot cannot be read inside a transaction of the host')
    },
    // The host ends its own transaction, so this function does nothing.
    close: async () => {},
  }
}
