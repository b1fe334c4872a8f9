import {
  fetchAll,
  openCursors,
  type Query,
  type SelectedRows,
  type Selection,
  type SqlDriver,
  type Statement,
} from '@halyard/storage-postgres'

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
    async *read(selections) {
      yield* readAtOneMoment(await open(), selections)
    },
    close,
  }
}

let reads = 0

/**
 * The one connection is everybody's, and nobody else could use it while a transaction is open. So the cursors outlive
 * theirs: the database puts what they find aside, in a file where it is much, and gives it out while others go on.
 */
async function* readAtOneMoment(client: PgliteClient, selections: readonly Selection[]): AsyncGenerator<SelectedRows> {
  const prefix = `halyard_read_${++reads}_`
  await client.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    await openCursors(queryOf(transaction), selections, { hold: true, prefix })
  })
  try {
    yield* fetchAll(queryOf(client), selections, prefix)
  } finally {
    for (const i of selections.keys()) await client.query(`close ${prefix}${i}`)
  }
}

function queryOf(queries: PgliteQueries): Query {
  return async <Row>({ text, values }: Statement) => {
    const { rows, affectedRows } = await queries.query<Row>(text, [...values])
    // Of a statement that returns rows PGlite counts those that it changed by itself, which are none under `with`.
    return { rows, count: rows.length > 0 ? rows.length : (affectedRows ?? 0) }
  }
}
