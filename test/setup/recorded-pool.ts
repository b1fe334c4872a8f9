import type { PostgresPool } from '@halyard/storage-postgres'

/** A statement that was sent through a pool. */
export interface SentStatement {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string
}

/** Everything that was sent through a pool since its creation. */
interface PoolRecording {
  readonly sentStatements: SentStatement[]
  /** SQLSTATEs of the statements that failed. */
  readonly failures: unknown[]
  readonly recordedPool: PostgresPool
}

/** Wraps a pool and records the statements sent through it. */
export function recordPool(pool: PostgresPool): PoolRecording {
  const sentStatements: SentStatement[] = []
  const failures: unknown[] = []
  async function connect() {
    const client = await pool.connect()
    return {
      release: (error?: Error) => client.release(error),
      query(statement: { text: string; values?: unknown[]; name?: string }) {
        sentStatements.push(statement)
        const result = client.query(statement)
        result.catch((error: { code?: unknown }) => failures.push(error.code))
        return result
      },
    }
  }
  return { sentStatements, failures, recordedPool: { connect } }
}
