import type { PostgresClient, PostgresPool } from './postgres-pool.ts'
import { queryOnClient } from './query-on-client.ts'
import type { Replica, SqlResult, Statement } from './sql-driver.ts'
import { isStatementError } from './sqlstate.ts'

/** Time after which a replica that was behind is used again, ms. */
const behindMs = 20
/** Time after which a replica that did not answer is used again, ms. */
const absentMs = 1000
/** Maximum time that a read waits for a connection and for its position, ms. */
const maxWaitMs = 1000

// A server that was promoted is no longer a replica: it accepts writes that the primary does not have.
const replayedPosition: Statement = {
  name: 'replayed position',
  text: `select case when pg_is_in_recovery()
    then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position`,
  values: [],
}

/**
 * Makes a replica from a pool of the host.
 *
 * @param pool a pool of connections to replicas of the same primary.
 * @param prepare true when repeated statements are prepared by name.
 */
export function poolReplica(pool: PostgresPool, prepare: boolean): Replica {
  return new PoolReplica(pool, prepare)
}

class PoolReplica implements Replica {
  readonly #pool: PostgresPool
  readonly #prepare: boolean
  /**
   * The position that the server of a connection has certainly replayed. It is stored by connection, because the
   * address of a pool may lead to several servers, and a server that replaces another one may have replayed less.
   */
  readonly #replayed = new WeakMap<PostgresClient, number>()
  #pausedUntil = 0
  #pausedFrom = Number.POSITIVE_INFINITY

  constructor(pool: PostgresPool, prepare: boolean) {
    this.#pool = pool
    this.#prepare = prepare
  }

  async queryAt<Row>(position: number, statement: Statement): Promise<SqlResult<Row> | undefined> {
    if (position >= this.#pausedFrom && performance.now() < this.#pausedUntil) return undefined
    let client: PostgresClient | undefined
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    try {
      client = await this.#connect()
      client.on?.('error', onError)
      if (!(await this.#hasReplayed(client, position))) return undefined
      return await queryOnClient(client, this.#prepare)<Row>(statement)
    } catch (error) {
      // The primary then runs the read. Such an error occurs, for example, when the replica cancels a read that blocks
      // the replay.
      if (isStatementError(error)) return undefined
      broken ??= error instanceof Error ? error : new Error(String(error))
      this.#pause(0, absentMs)
      return undefined
    } finally {
      client?.removeListener?.('error', onError)
      client?.release(broken)
    }
  }

  async #hasReplayed(client: PostgresClient, position: number): Promise<boolean> {
    if ((this.#replayed.get(client) ?? -1) >= position) return true
    const query = queryOnClient(client, this.#prepare)
    const { rows } = await withinTime(query<{ position: number | null }>(replayedPosition))
    const replayed = rows[0]?.position ?? -1
    this.#replayed.set(client, replayed)
    if (replayed < position) this.#pause(position, behindMs)
    return replayed >= position
  }

  /** For a time, sends reads to the primary if they need this position or a later one. */
  #pause(from: number, forMs: number): void {
    this.#pausedFrom = from
    this.#pausedUntil = performance.now() + forMs
  }

  async #connect(): Promise<PostgresClient> {
    const connecting = this.#pool.connect()
    try {
      return await withinTime(connecting)
    } catch (error) {
      connecting.then(
        (late) => late.release(),
        () => {},
      )
      throw error
    }
  }
}

async function withinTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the replica does not answer')), maxWaitMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
