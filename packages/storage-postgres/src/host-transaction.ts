import type { Query, SqlDriver } from './sql-driver.ts'

/** The last of what is under way in each transaction. Its statements come one after the other, whoever sends them. */
const turns = new WeakMap<object, Promise<unknown>>()

const savepoint = 'halyard_batch'

/**
 * Speaks to the database inside a transaction that the host has open: `begin`, `commit` and `rollback` stay the host's.
 * What belongs together runs under a savepoint, so that its failure undoes that much and no more.
 *
 * @param transaction what stands for the transaction; all drivers on one of them take turns.
 * @param query sends a statement in it.
 */
export function hostTransactionDriver(transaction: object, query: Query): SqlDriver {
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = turns.get(transaction) ?? Promise.resolve()
    const result = before.then(work)
    turns.set(
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
      throw new Error('what is read as it was at one moment is read outside of a transaction of the host')
    },
    // The transaction is the host's.
    close: async () => {},
  }
}
