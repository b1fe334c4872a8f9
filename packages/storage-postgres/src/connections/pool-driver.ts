import { fetchAll, openCursors } from './cursors.ts'
import { hostTransactionDriver } from './host-transaction.ts'
import { listenOnPool } from './listen-on-pool.ts'
import { listenError } from './listener-connection.ts'
import { poolReplica } from './pool-replica.ts'
import {
  isPostgresJs,
  isPostgresJsFunction,
  type ListeningPool,
  postgresJsPool,
  postgresJsTransaction,
} from './postgres-js.ts'
import type { PostgresJsClient } from './postgres-js-client.ts'
import type { PostgresClient, PostgresPool, PostgresTransaction } from './postgres-pool.ts'
import { queryOnClient } from './query-on-client.ts'
import type { Query, SelectedRows, Selection, SqlDriver } from './sql-driver.ts'
import { isStatementError } from './sqlstate.ts'

/** A pool of the host, or a client of postgres.js, which contains one. */
export type HostPool = PostgresPool | PostgresJsClient

interface PoolDriverOptions {
  readonly prepare: boolean
  readonly watch?: boolean
  readonly watchPool?: HostPool
  readonly replicas?: readonly HostPool[]
}

/**
 * Makes a driver that uses a pool of the host.
 *
 * A client is checked out for each statement instead of calling `pool.query`, because `pool.query` discards the
 * connection after every error, and a lost race is an error here.
 *
 * @param options.prepare true when repeated statements are prepared by name.
 * @param options.watch true when the driver can listen.
 * @param options.watchPool the pool whose connection listens. Default: `pool`.
 * @param options.replicas pools whose connections lead to replicas.
 */
export function poolDriver(
  hostPool: HostPool,
  { prepare, watch = true, watchPool: hostWatchPool = hostPool, replicas: hostReplicas = [] }: PoolDriverOptions,
): SqlDriver {
  const pool = poolOf(hostPool)
  const watchPool = hostWatchPool === hostPool ? pool : poolOf(hostWatchPool)
  const replicas = hostReplicas.map(poolOf)
  // The listener is added once for each pool, however many storages use the pool. It only ignores errors, so it is
  // never removed.
  for (const each of new Set([pool, watchPool, ...replicas])) {
    each.removeListener?.('connect', ignoreErrorsOfNewClient)
    each.on?.('connect', ignoreErrorsOfNewClient)
  }
  return {
    query: (statement) => withClient(pool, (client) => queryOnClient(client, prepare)(statement)),
    transaction: (work) => withClient(pool, (client) => inTransaction(queryOnClient(client, prepare), work)),
    read: (selections) => readInSnapshot(pool, selections),
    ...(watch && {
      async listen(channel, notificationListener) {
        const { listen } = watchPool as Partial<ListeningPool>
        if (listen) return listen(channel, notificationListener)
        if (watchPool === pool && pool.options?.max === 1)
          throw listenError('the pool has a single connection, and listening needs one of its own')
        return listenOnPool(watchPool, channel, notificationListener)
      },
    }),
    within: (transaction) => {
      const client = openTransaction(transaction)
      return hostTransactionDriver(client, async (statement) => {
        if (client.getTransactionStatus?.() === 'I') throw transactionOverError()
        return queryOnClient(client, prepare)(statement)
      })
    },
    replicas: replicas.map((replica) => poolReplica(replica, prepare)),
    // The pool belongs to the host and stays open.
    close: async () => {},
  }
}

function poolOf(pool: HostPool): PostgresPool | ListeningPool {
  return isPostgresJs(pool) ? postgresJsPool(pool) : pool
}

/** Transactions of postgres.js. The statements of all storages in one transaction are sent one after another. */
const transactionsOfPostgresJs = new WeakMap<object, PostgresTransaction>()

function openTransaction(value: unknown): PostgresTransaction {
  if (isPostgresJsFunction(value)) {
    if ('reserve' in value) throw new TypeError('transaction: must be that of `sql.begin`, not the client itself')
    const transaction = transactionsOfPostgresJs.get(value) ?? postgresJsTransaction(value)
    transactionsOfPostgresJs.set(value, transaction)
    return transaction
  }
  const client = value as Partial<PostgresTransaction> | null | undefined
  if (typeof client?.query !== 'function') {
    throw new TypeError('transaction: must be a client with `query` on which a transaction has begun')
  }
  // A pool also has the function `query`, but it sends each statement to any of its connections, so it cannot be a
  // transaction.
  if ('totalCount' in client) throw new TypeError('transaction: must be a client of the pool, not the pool itself')
  return client as PostgresTransaction
}

/** Makes the error that the server returns for a statement that needs a transaction. */
function transactionOverError(): Error {
  return Object.assign(new Error('the transaction of the host is over'), { code: '25P01' })
}

async function withClient<T>(pool: PostgresPool, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  client.on?.('error', ignoreConnectionError)
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (!isStatementError(error)) broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.removeListener?.('error', ignoreConnectionError)
    client.release(broken)
  }
}

// A connection may break while it is checked out and no statement is running. Without a listener, the error event would
// end the process, because the pool listens only to idle connections. The next query on the connection rejects.
function ignoreConnectionError(): void {}

// A server that shuts down while a client connects may report it in the same packet as the end of the handshake, before
// the pool returns the client.
function ignoreErrorsOfNewClient(client: PostgresClient): void {
  client.on?.('error', ignoreConnectionError)
}

const cursorPrefix = 'halyard_read_'

/** Maximum time that an abandoned reader may keep a connection, and keep the server from vacuuming. */
const maxIdleMinutes = 10

async function* readInSnapshot(pool: PostgresPool, selections: readonly Selection[]): AsyncGenerator<SelectedRows> {
  const client = await pool.connect()
  const query = queryOnClient(client, false)
  let broken: Error | undefined
  const onConnectionLost = (error: Error) => {
    broken = error
  }
  client.on?.('error', onConnectionLost)
  try {
    await query({ text: 'begin isolation level repeatable read, read only', values: [] })
    await query({ text: `set local idle_in_transaction_session_timeout = '${maxIdleMinutes}min'`, values: [] })
    await openCursors(query, selections, { hold: false, prefix: cursorPrefix })
    yield* fetchAll(query, selections, cursorPrefix)
  } catch (error) {
    if (!isStatementError(error)) broken ??= error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Nothing was written, so there is nothing to commit.
    if (!broken) await query({ text: 'rollback', values: [] }).catch(onConnectionLost)
    client.removeListener?.('error', onConnectionLost)
    client.release(broken)
  }
}

async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query({ text: 'begin isolation level read committed', values: [] })
  try {
    const result = await work(query)
    await query({ text: 'commit', values: [] })
    return result
  } catch (error) {
    // When the rollback fails too, its error contains the reason: the connection is lost, and the transaction with it.
    await query({ text: 'rollback', values: [] })
    throw error
  }
}
