import { inject } from 'vitest'
import { copiesOfPglite, type PgliteStorages } from './copies-of-pglite.ts'

/** Opens PGlite storages, each on a copy of the snapshot that the global setup provides. */
export function pgliteStorages(): PgliteStorages {
  return copiesOfPglite(inject('pgliteSnapshot'))
}
