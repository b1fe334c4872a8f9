import type { Query, SqlDriver, Statement } from '@halyard/storage-postgres'

/** What the storage uses of a PGlite database. */
export interface PgliteClient extends PgliteQueries {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface PgliteQueries {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; affectedRows?: number }>
}

/**
 * Speaks to PGlite, which is one connection: transactions queue up by themselves, and nothing is prepared by name.
 *
 * @param open hands out the database, opened on the first call.
 * @param close releases what `open` opened.
 */
export function pgliteDriver(open: () => Promise<PgliteClient>, close: () => Promise<void>): SqlDriver {
  return {
    query: async (statement) => queryOf(await open())(statement),
    transaction: async (work) => (await open()).transaction((transaction) => work(queryOf(transaction))),
    close,
  }
}

function queryOf(queries: PgliteQueries): Query {
  return async <Row>({ text, values }: Statement) => {
    const { rows, affectedRows } = await queries.query<Row>(text, [...values])
    // Of a statement that returns rows PGlite counts those that it changed by itself, which are none under `with`.
    return { rows, count: rows.length > 0 ? rows.length : (affectedRows ?? 0) }
  }
}
