import type { PostgresTransaction } from './postgres-pool.ts'
import type { Query, Statement } from './sql-driver.ts'

/**
 * Returns the function that sends statements on one connection.
 *
 * @param prepare true when repeated statements are prepared by name.
 */
export function queryOnClient(client: PostgresTransaction, prepare: boolean): Query {
  return async <Row>({ text, values, name }: Statement) => {
    const statementName = prepare && name !== undefined ? { name } : undefined
    const { rows, rowCount } = await client.query({ text, values: [...values], ...statementName })
    return { rows: rows as Row[], count: rowCount ?? 0 }
  }
}
