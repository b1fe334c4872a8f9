import { fetchAll, openCursors } from './cursors.ts'
import type { Query, SelectedRows, Selection, SqlDriver, Statement } from './sql-driver.ts'
import { isStatementError } from './sqlstate.ts'

/** What the storage uses of a pool: `pg.Pool` fits, and so does every pool made in its likeness. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  on?(event: 'connect', listener: (client: PostgresClient) => void): unknown
  removeListener?(event: 'connect', listener: (client: PostgresClient) => void): unknown
}

export interface PostgresClient {
  query(statement: { text: string; values?: unknown[]; name?: string }): Promise<PostgresResult>
  /** With an error: the connection is broken and must not be used again. */
  release(error?: Error): void
  on?(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: (error: Error) => void): unknown
}

interface PostgresResult {
  readonly rows: unknown[]
  readonly rowCount: number | null
}

/**
 * Speaks to Postgres through a pool of the host.
 *
 * A client is taken for each statement instead of calling `pool.query`, because that throws away the connection
 * with every error, and a lost race is an error here.
 *
 * @param options.prepare whether repeated statements are prepared by name.
 */
export function poolDriver(pool: PostgresPool, { prepare }: { prepare: boolean }): SqlDriver {
  // Once for each pool, however many storages are on it; it stays, as it does no more than listen.
  pool.removeListener?.('connect', listenFromTheStart)
  pool.on?.('connect', listenFromTheStart)
  return {
    query: (statement) => withClient(pool, (client) => queryOf(client, prepare)(statement)),
    transaction: (work) => withClient(pool, (client) => inTransaction(queryOf(client, prepare), work)),
    read: (selections) => readAtOneMoment(pool, selections),
    // The pool is the host's and stays open.
    close: async () => {},
  }
}

async function withClient<T>(pool: PostgresPool, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  client.on?.('error', leaveToTheNextQuery)
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (!isStatementError(error)) broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.removeListener?.('error', leaveToTheNextQuery)
    client.release(broken)
  }
}

// A connection may break while it is ours and no statement is under way. Without a listener that would end the process;
// the pool listens only to those that are idle. Whoever asks next is told.
function leaveToTheNextQuery(): void {}

// A server that goes down while it is being connected to can say so in the same breath as it says welcome: before we have
// the client in our hands.
function listenFromTheStart(client: PostgresClient): void {
  client.on?.('error', leaveToTheNextQuery)
}

const cursors = 'halyard_read_'

/** A reader that was forgotten may hold a connection, and keep the server from cleaning up, for no longer than this. */
const patienceMinutes = 10

async function* readAtOneMoment(pool: PostgresPool, selections: readonly Selection[]): AsyncGenerator<SelectedRows> {
  const client = await pool.connect()
  const query = queryOf(client, false)
  let broken: Error | undefined
  const lost = (error: Error) => {
    broken = error
  }
  client.on?.('error', lost)
  try {
    await query({ text: 'begin isolation level repeatable read, read only', values: [] })
    await query({ text: `set local idle_in_transaction_session_timeout = '${patienceMinutes}min'`, values: [] })
    await openCursors(query, selections, { hold: false, prefix: cursors })
    yield* fetchAll(query, selections, cursors)
  } catch (error) {
    if (!isStatementError(error)) broken ??= error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Nothing was written: there is nothing to commit.
    if (!broken) await query({ text: 'rollback', values: [] }).catch(lost)
    client.removeListener?.('error', lost)
    client.release(broken)
  }
}

function queryOf(client: PostgresClient, prepare: boolean): Query {
  return async <Row>({ text, values, name }: Statement) => {
    const named = prepare && name !== undefined ? { name } : undefined
    const { rows, rowCount } = await client.query({ text, values: [...values], ...named })
    return { rows: rows as Row[], count: rowCount ?? 0 }
  }
}

async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query({ text: 'begin isolation level read committed', values: [] })
  try {
    const result = await work(query)
    await query({ text: 'commit', values: [] })
    return result
  } catch (error) {
    // When this fails too, its error says why: the connection is gone, and with it the transaction.
    await query({ text: 'rollback', values: [] })
    throw error
  }
}
