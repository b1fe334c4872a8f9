import { openAsBlob } from 'node:fs'
import { createRequire } from 'node:module'
import type { PgliteClient } from '@halyard/storage-pglite'
import { inject } from 'vitest'
import { pgliteDependent } from './oldest-versions.ts'
import { pgliteTemplate } from './pglite-template.ts'

/** Opens an empty PGlite in memory, as a host would. */
export async function openPgliteClient(): Promise<PgliteClient> {
  const { PGlite } = createRequire(pgliteDependent(inject('projectName')))('@electric-sql/pglite') as PgliteModule
  return PGlite.create('memory://', { loadDataDir: await openAsBlob(pgliteTemplate.archive) })
}

interface PgliteModule {
  readonly PGlite: { create(dataDir: string, options: { loadDataDir: Blob }): Promise<PgliteClient> }
}
