import type { PostgresPool } from '@halyard/storage-postgres'

/** A statement as it goes through a pool. */
export interface Sent {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string
}

/** What went through a pool, from its making on. */
interface Recorded {
  readonly sent: Sent[]
  /** SQLSTATEs of the statements that failed. */
  readonly failures: unknown[]
  readonly recordedPool: PostgresPool
}

/** A pool with a record of what goes through it. */
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
