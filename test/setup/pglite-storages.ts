import { copiesOfPglite, type PgliteStorages } from './copies-of-pglite.ts'
import { pgliteTemplate } from './pglite-template.ts'

/** Opens PGlite storages, each on a copy of an empty data directory. */
export function pgliteStorages(): PgliteStorages {
  return copiesOfPglite(pgliteTemplate.directory)
}
