import {
  fetchAll,
  hostTransactionDriver,
  listenError,
  type NotificationListener,
  openCursors,
  type Query,
  type SelectedRows,
  type Selection,
  type SqlDriver,
  type Statement,
  type Subscription,
} from '@halyard/storage-postgres/sql'

/** The part of a PGlite database that the storage uses. */
export interface PgliteClient extends PgliteQueries {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Resolves with a function that ends the subscription. A client without this method cannot be watched. */
  listen?(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  /** True once the database has been closed. */
  readonly closed?: boolean
}

/**
 * The query functions of PGlite. A transaction of the host has them too, as PGlite passes it to the callback of
 * `transaction`.
 */
export interface PgliteQueries {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; affectedRows?: number }>
}

/**
 * Makes a driver for PGlite, which is one connection: transactions are queued by PGlite itself, and no statement is
 * prepared by name.
 *
 * @param open returns the database, opened by the first call.
 * @param close releases what `open` opened.
 */
export function pgliteDriver(open: () => Promise<PgliteClient>, close: () => Promise<void>): SqlDriver {
  return {
    query: async (statement) => queryOf(await open())(statement),
    transaction: async (work) => (await open()).transaction((transaction) => work(queryOf(transaction))),
    async *read(selections) {
      yield* readAtOneMoment(await open(), selections)
    },
    listen: async (channel, listener) => listenTo(await open(), channel, listener),
    within: (transaction) => hostTransactionDriver(...openTransaction(transaction)),
    close,
  }
}

let reads = 0

/**
 * Reads several selections in one snapshot. The single connection is shared, and no other caller could use it while a
 * transaction is open. So the cursors outlive their transaction (`with hold`): the database stores their rows, in a
 * file when there are many, and returns them while other callers continue.
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

/** Listens on the only connection of PGlite, which is open until the database closes. */
async function listenTo(client: PgliteClient, channel: string, listener: NotificationListener): Promise<Subscription> {
  if (client.closed) throw listenError('the database is closed')
  const end = await client.listen?.(channel, listener.onNotification)
  if (!end) throw listenError('the PGlite client has no method `listen`')
  let ending: Promise<void> | undefined
  return {
    async ping() {
      if (client.closed) throw listenError('the database is closed')
    },
    end: () => (ending ??= client.closed ? Promise.resolve() : end().catch(() => {})),
  }
}

function openTransaction(value: unknown): [PgliteQueries, Query] {
  const transaction = value as Partial<PgliteQueries> | null | undefined
  if (typeof transaction?.query !== 'function') {
    throw new TypeError('transaction: must be what PGlite passes to the callback of `transaction`')
  }
  if ('transaction' in transaction)
    throw new TypeError('transaction: must be a transaction, but is the database itself')
  return [transaction as PgliteQueries, queryOf(transaction as PgliteQueries)]
}

function queryOf(queries: PgliteQueries): Query {
  return async <Row>({ text, values }: Statement) => {
    const { rows, affectedRows } = await queries.query<Row>(text, [...values])
    // For a statement that returns rows, PGlite counts only the rows that the outer statement changed, which are none
    // under `with`.
    return { rows, count: rows.length > 0 ? rows.length : (affectedRows ?? 0) }
  }
}
