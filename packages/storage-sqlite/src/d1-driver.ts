import type { Row, SqliteDriver, Statement, WriteResult } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'

/** A D1 database, as a Worker finds it in its environment. */
export interface D1Database {
  prepare(text: string): D1Statement
  /** Runs statements in one transaction. */
  batch(statements: D1Statement[]): Promise<D1Result[]>
}

/** A prepared statement of D1. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement
}

/** The result of a statement of D1. */
export interface D1Result {
  readonly results?: unknown[]
}

/**
 * Makes a driver for D1. Each call is one request. A Worker ends the D1 requests of an HTTP request when it has
 * responded, so no HTTP request waits for D1 requests of another HTTP request.
 */
export function d1Driver(database: D1Database): SqliteDriver {
  async function run(statements: readonly Statement[]): Promise<(readonly Row[])[]> {
    if (statements.length === 0) return []
    const bound = statements.map(({ text, values }) => database.prepare(text).bind(...values))
    return (await database.batch(bound)).map(({ results }) => (results ?? []) as Row[])
  }
  return {
    read: run,
    write: (batches) => writeBatches(run, batches),
    otherWriters: 'invisible',
    hasTemporaryTables: false,
    indexesTerms: false,
    sharesRequests: false,
    nextTurn: async () => {},
  }
}

/**
 * Writes batches in one transaction; when a constraint undoes it, each in a transaction of its own.
 *
 * @param run runs statements in one transaction and returns the rows of each.
 */
export async function writeBatches(
  run: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>,
  batches: readonly (readonly Statement[])[],
): Promise<WriteResult[]> {
  try {
    const rows = await run(batches.flat())
    let start = 0
    return batches.map(({ length }) => {
      start += length
      return { rows: rows.slice(start - length, start) }
    })
  } catch (error) {
    if (classifyError(error) !== 'refused') throw error
    if (batches.length === 1) return [{ refusedBy: error }]
  }
  const results: WriteResult[] = []
  for (const batch of batches) results.push(...(await writeBatches(run, [batch])))
  return results
}
