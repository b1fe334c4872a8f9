import { type PostgresStorages, schemasOfPostgres } from './schemas-of-postgres.ts'
import { testPostgres } from './test-postgres.ts'

export { type PostgresStorages, uniqueSchema } from './schemas-of-postgres.ts'

/** Opens a pool on the PostgreSQL server of the tests. */
export function postgresStorages(): PostgresStorages {
  return schemasOfPostgres(testPostgres)
}
