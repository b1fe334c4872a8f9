import type { PostgresClient, PostgresPool } from '@halyard/storage-postgres'

export interface CountedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Number of rows in the result. */
  readonly rows: number
}

/** The statements sent to the database during some work. */
export interface StatementCount {
  readonly statements: readonly CountedStatement[]
}

export interface CountedPool extends PostgresPool {
  /** Runs work and returns its result with the statements that it sent. */
  during<T>(work: () => Promise<T>): Promise<StatementCount & { readonly result: T }>
}

/** Wraps a pool and records each statement, except begin, commit and rollback. */
export function countedPool(pool: PostgresPool): CountedPool {
  let statements: CountedStatement[] = []

  function countingClient(client: PostgresClient): PostgresClient {
    return new Proxy(client, {
      get(target, name) {
        const property = Reflect.get(target, name)
        if (name !== 'query') return typeof property === 'function' ? property.bind(target) : property
        return async (statement: Parameters<PostgresClient['query']>[0]) => {
          const result = await target.query(statement)
          const { text, values = [] } = statement
          if (!/^(begin|commit|rollback)\b/.test(text)) statements.push({ text, values, rows: result.rows.length })
          return result
        }
      },
    })
  }

  return {
    connect: async () => countingClient(await pool.connect()),
    async during(work) {
      statements = []
      const result = await work()
      return { result, statements }
    },
  }
}
