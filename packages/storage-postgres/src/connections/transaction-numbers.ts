import type { TransactionNumbers } from '@halyard/core/storage'
import type { Query } from './sql-driver.ts'
import { isUndefinedFunction } from './sqlstate.ts'

/** Reads the numbers of the transactions that are open; undefined in a database that does not have this function. */
export async function readTransactionNumbers(query: Query): Promise<TransactionNumbers | undefined> {
  const statement = {
    name: 'transaction numbers',
    text: `select pg_snapshot_xmin(open)::text::float8 as "oldestOpen", pg_snapshot_xmax(open)::text::float8 as next
      from pg_current_snapshot() open`,
    values: [],
  }
  try {
    return (await query<TransactionNumbers>(statement)).rows[0]
  } catch (error) {
    if (isUndefinedFunction(error)) return undefined
    throw error
  }
}
