import { fetchAll, openCursors } from './cursors.ts'
import { hostTransactionDriver } from './host-transaction.ts'
import { listenOnPool } from './pool-listening.ts'
import type { PostgresClient, PostgresPool, PostgresTransaction } from './postgres-pool.ts'
import type { Query, SelectedRows, Selection, SqlDriver, Statement } from './sql-driver.ts'
import { isStatementError } from './sqlstate.ts'

/**
 * Speaks to Postgres through a pool of the host.
 *
 * A client is taken for each statement instead of calling `pool.query`, because that throws away the connection
 * with every error, and a lost race is an error here.
 *
 * @param options.prepare whether repeated statements are prepared by name.
 * @param options.watch whether it can listen.
 */
export function poolDriver(
  pool: PostgresPool,
  { prepare, watch = true }: { prepare: boolean; watch?: boolean },
): SqlDriver {
  // Once for each pool, however many storages are on it; it stays, as it does no more than listen.
  pool.removeListener?.('connect', listenFromTheStart)
  pool.on?.('connect', listenFromTheStart)
  return {
    query: (statement) => withClient(pool, (client) => queryOf(client, prepare)(statement)),
    transaction: (work) => withClient(pool, (client) => inTransaction(queryOf(client, prepare), work)),
    read: (selections) => readAtOneMoment(pool, selections),
    ...(watch && { listen: (channel, ear) => listenOnPool(pool, channel, ear) }),
    within: (transaction) => {
      const client = openTransaction(transaction)
      return hostTransactionDriver(client, async (statement) => {
        if (client.getTransactionStatus?.() === 'I') throw overError()
        return queryOf(client, prepare)(statement)
      })
    },
    // The pool is the host's and stays open.
    close: async () => {},
  }
}

function openTransaction(given: unknown): PostgresTransaction {
  const client = given as Partial<PostgresTransaction> | null | undefined
  if (typeof client?.query !== 'function') {
    throw new TypeError('transaction: expected a client with `query`, after it has begun a transaction')
  }
  // A pool has `query` as well, and sends each statement to any of its connections.
  if ('totalCount' in client) throw new TypeError('transaction: expected a client of the pool, got the pool itself')
  return client as PostgresTransaction
}

/** What the server would say of a statement that belongs into a transaction. */
function overError(): Error {
  return Object.assign(new Error('the transaction of the host is over'), { code: '25P01' })
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

function queryOf(client: PostgresTransaction, prepare: boolean): Query {
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
