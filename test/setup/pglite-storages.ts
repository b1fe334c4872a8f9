import { copiesOfPglite, type PgliteStorages } from './copies-of-pglite.ts'
import { pgliteTemplate } from './pglite-template.ts'

/** Returns storages of PGlite, each on a copy of an empty data directory. */
export function pgliteStorages(): PgliteStorages {
  return copiesOfPglite(pgliteTemplate.directory)
}
