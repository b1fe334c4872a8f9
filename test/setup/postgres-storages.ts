import { inject } from 'vitest'
import { type PostgresStorages, schemasOfPostgres } from './schemas-of-postgres.ts'

export { type PostgresStorages, uniqueSchema } from './schemas-of-postgres.ts'

/** Opens a pool on the server that the global setup provides. */
export function postgresStorages(): PostgresStorages {
  return schemasOfPostgres(inject('postgres'))
}
