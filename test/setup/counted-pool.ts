import type { PostgresClient, PostgresPool } from '@halyard/storage-postgres'

export interface CountedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Rows that came back. */
  readonly rows: number
}

/** What went to the database while something was done. */
export interface Counted {
  readonly statements: readonly CountedStatement[]
}

export interface CountedPool extends PostgresPool {
  /** Does something, and tells what it asked of the database. */
  during<T>(work: () => Promise<T>): Promise<Counted & { readonly result: T }>
}

/** A pool that notes each statement on its way; what frames a transaction is none. */
export function countedPool(pool: PostgresPool): CountedPool {
  let statements: CountedStatement[] = []

  function counted(client: PostgresClient): PostgresClient {
    return new Proxy(client, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (name !== 'query') return typeof member === 'function' ? member.bind(target) : member
        return async (statement: Parameters<PostgresClient['query']>[0]) => {
          const answer = await target.query(statement)
          const { text, values = [] } = statement
          if (!/^(begin|commit|rollback)\b/.test(text)) statements.push({ text, values, rows: answer.rows.length })
          return answer
        }
      },
    })
  }

  return {
    connect: async () => counted(await pool.connect()),
    async during(work) {
      statements = []
      const result = await work()
      return { result, statements }
    },
  }
}
