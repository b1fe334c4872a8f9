import type { PostgresPool } from '@halyard/storage-postgres'

/** A statement that was sent through a pool. */
export interface Sent {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string
}

/** Everything that was sent through a pool since its creation. */
interface Recorded {
  readonly sent: Sent[]
  /** SQLSTATEs of the statements that failed. */
  readonly failures: unknown[]
  readonly recordedPool: PostgresPool
}

/** Wraps a pool and records the statements sent through it. */
export function recorded(pool: PostgresPool): Recorded {
  const sent: Sent[] = []
  const failures: unknown[] = []
  async function connect() {
    const client = await pool.connect()
    return {
      release: (error?: Error) => client.release(error),
      query(statement: { text: string; values?: unknown[]; name?: string }) {
        sent.push(statement)
        const result = client.query(statement)
        result.catch((error: { code?: unknown }) => failures.push(error.code))
        return result
      },
    }
  }
  return { sent, failures, recordedPool: { connect } }
}
