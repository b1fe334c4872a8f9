import { listenError } from './listener-connection.ts'
import type { PostgresJsClient, PostgresJsQueries } from './postgres-js-client.ts'
import { PostgresJsConnections } from './postgres-js-connections.ts'
import type { PostgresClient, PostgresPool, PostgresResult, PostgresTransaction } from './postgres-pool.ts'
import type { NotificationListener, Subscription } from './sql-driver.ts'

/** Tests whether a value is a client of postgres.js, and not a pool. */
export function isPostgresJs(value: PostgresPool | PostgresJsClient): value is PostgresJsClient {
  return 'reserve' in value && 'unsafe' in value
}

/** Tests whether a value is a transaction of postgres.js, or a client. */
export function isPostgresJsFunction(value: unknown): value is PostgresJsQueries {
  return typeof value === 'function' && 'unsafe' in value
}

/** A pool that has a function of its own to listen for notifications. */
export interface ListeningPool extends PostgresPool {
  listen(channel: string, listener: NotificationListener): Promise<Subscription>
}

/** Makes a pool from a client of postgres.js. */
export function postgresJsPool(sql: PostgresJsClient): ListeningPool {
  const connections = new PostgresJsConnections(sql)
  return {
    async connect(): Promise<PostgresClient> {
      const reserved = await connections.reserve()
      return { ...postgresJsTransaction(reserved), release: (error) => connections.release(reserved, error) }
    },
    listen: (channel, listener) => listenOnPostgresJs(sql, channel, listener),
  }
}

/** Makes a transaction client from the `sql` that postgres.js passes to the callback of `sql.begin`. */
export function postgresJsTransaction(queries: PostgresJsQueries): PostgresTransaction {
  return {
    async query({ text, values = [], name }): Promise<PostgresResult> {
      const parameters = values.map((value) => queries.typed(textOf(value), unknownType))
      const rows = await queries.unsafe(text, parameters, { prepare: name !== undefined })
      return { rows: [...rows], rowCount: rows.count }
    },
  }
}

/**
 * The type of a parameter whose type the server infers. Postgres.js converts values of the types that it recognizes: it
 * would encode JSON text a second time.
 */
const unknownType = 705

/** Returns a value in the text format of the protocol, which every type reads. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value)) return String(value)
  const elements = value.map((element) => {
    return element === null ? 'NULL' : `"${String(element).replaceAll(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/**
 * Listens on the connection that postgres.js keeps for all channels. Postgres.js replaces a lost connection by itself,
 * and calls `onListening` again. Because postgres.js offers no query on that connection, a ping is a notification on a
 * separate channel. The server sends the notifications of all channels in the order of their commits.
 */
async function listenOnPostgresJs(
  sql: PostgresJsClient,
  channel: string,
  listener: NotificationListener,
): Promise<Subscription> {
  if (typeof sql.listen !== 'function') throw listenError('the client has no method `listen`')
  const pingChannel = `halyard_ping_${crypto.randomUUID().replaceAll('-', '')}`
  const waiting = new Map<string, () => void>()
  let pings = 0
  let isListening = false
  let isEnded = false
  const subscriptions = await Promise.all([
    sql.listen(
      channel,
      (payload) => {
        if (!isEnded) listener.onNotification(payload)
      },
      () => {
        // Notifications that were sent while the connection was closed are lost.
        if (isListening && !isEnded) listener.onLost()
        isListening = true
      },
    ),
    sql.listen(pingChannel, (id) => waiting.get(id)?.()),
  ])
  return {
    async ping() {
      const id = String(++pings)
      const arrived = new Promise<void>((resolve) => waiting.set(id, resolve))
      try {
        await postgresJsTransaction(sql).query({ text: 'select pg_notify($1, $2)', values: [pingChannel, id] })
        await arrived
      } finally {
        waiting.delete(id)
      }
    },
    async end() {
      if (isEnded) return
      isEnded = true
      await Promise.all(subscriptions.map((subscription) => subscription.unlisten().catch(() => {})))
    },
  }
}
