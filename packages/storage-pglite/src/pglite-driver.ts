import {
  cannotListen,
  type Ear,
  fetchAll,
  hostTransactionDriver,
  type Listening,
  openCursors,
  type Query,
  type SelectedRows,
  type Selection,
  type SqlDriver,
  type Statement,
} from '@halyard/storage-postgres/sql'

/** What the storage uses of a PGlite database. */
export interface PgliteClient extends PgliteQueries {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Resolves with what ends it. A client without it cannot be watched. */
  listen?(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  /** Whether it has been closed. */
  readonly closed?: boolean
}

/** Also a transaction of the host: what PGlite hands to the callback of `transaction`. */
export interface PgliteQueries {
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
    listen: async (channel, ear) => listenTo(await open(), channel, ear),
    within: (transaction) => hostTransactionDriver(...openTransaction(transaction)),
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

/** What listens is the one connection that there is: it is there for as long as the database. */
async function listenTo(client: PgliteClient, channel: string, ear: Ear): Promise<Listening> {
  if (client.closed) throw cannotListen('the database is closed')
  const end = await client.listen?.(channel, ear.heard)
  if (!end) throw cannotListen('this client of PGlite has no `listen`')
  let ending: Promise<void> | undefined
  return {
    async ping() {
      if (client.closed) throw cannotListen('the database is closed')
    },
    end: () => (ending ??= client.closed ? Promise.resolve() : end().catch(() => {})),
  }
}

function openTransaction(given: unknown): [PgliteQueries, Query] {
  const transaction = given as Partial<PgliteQueries> | null | undefined
  if (typeof transaction?.query !== 'function') {
    throw new TypeError('transaction: expected what PGlite hands to the callback of `transaction`')
  }
  if ('transaction' in transaction) throw new TypeError('transaction: expected a transaction, got the database itself')
  return [transaction as PgliteQueries, queryOf(transaction as PgliteQueries)]
}

function queryOf(queries: PgliteQueries): Query {
  return async <Row>({ text, values }: Statement) => {
    const { rows, affectedRows } = await queries.query<Row>(text, [...values])
    // Of a statement that returns rows PGlite counts those that it changed by itself, which are none under `with`.
    return { rows, count: rows.length > 0 ? rows.length : (affectedRows ?? 0) }
  }
}
