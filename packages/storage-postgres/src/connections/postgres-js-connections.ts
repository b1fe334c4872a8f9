import type { PostgresJsClient, PostgresJsQueries } from './postgres-js-client.ts'

/** A connection that is reserved for one caller. */
export type ReservedQueries = PostgresJsQueries & { release(): void }

/** Codes of errors after which the connection is gone. Postgres.js has removed it from its pool. */
const connectionGone = /^(CONNECTION_|CONNECT_|E[A-Z]+$)/

/**
 * Reserves connections of postgres.js. When a connection closes, postgres.js connects again for the first waiting
 * request, but never resolves that request when it reserves a connection (3.4), so its caller would wait forever.
 * Waiting queries do not have this problem.
 */
export class PostgresJsConnections {
  readonly #sql: PostgresJsClient
  /** Functions that repeat the requests which wait for a connection. */
  readonly #waiting = new Set<() => void>()
  /** True from the loss of a connection until a query was answered. */
  #isLost = false

  constructor(sql: PostgresJsClient) {
    this.#sql = sql
  }

  /**
   * Waits for a connection.
   *
   * @throws the error of postgres.js when it cannot connect.
   */
  reserve(): Promise<ReservedQueries> {
    return new Promise((resolve, reject) => {
      const settle = (result: () => void) => {
        this.#waiting.delete(request)
        result()
      }
      const request = () => {
        this.#request().then(
          // A repeated request can get two connections. The second one is released.
          (reserved) => (this.#waiting.has(request) ? settle(() => resolve(reserved)) : reserved.release()),
          (error: unknown) => settle(() => reject(error)),
        )
      }
      this.#waiting.add(request)
      request()
    })
  }

  /** Returns a connection to the pool. After an error, the connection is ended instead, unless it is closed already. */
  release(reserved: ReservedQueries, error: Error | undefined): void {
    if (!error) reserved.release()
    else if (connectionGone.test(String((error as { readonly code?: unknown }).code))) this.#repeatRequests()
    // Postgres.js has no method that ends one connection.
    else reserved.unsafe('select pg_terminate_backend(pg_backend_pid())', [], { prepare: false }).then(ignore, ignore)
  }

  #repeatRequests(): void {
    this.#isLost = true
    for (const request of [...this.#waiting]) request()
  }

  async #request(): Promise<ReservedQueries> {
    if (this.#isLost) {
      await this.#sql.unsafe('select 1', [], { prepare: false })
      this.#isLost = false
    }
    return this.#sql.reserve()
  }
}

function ignore(): void {}
