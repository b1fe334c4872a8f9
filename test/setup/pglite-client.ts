import { openAsBlob } from 'node:fs'
import { createRequire } from 'node:module'
import type { PgliteClient } from '@halyard/storage-pglite'
import { pgliteTemplate } from './pglite-template.ts'

/** Opens an empty PGlite in memory, as a host would. */
export async function openPgliteClient(): Promise<PgliteClient> {
  // PGlite is a dependency of its storage package only.
  const require = createRequire(new URL('../../packages/storage-pglite/package.json', import.meta.url))
  const { PGlite } = require('@electric-sql/pglite') as PgliteModule
  return PGlite.create('memory://', { loadDataDir: await openAsBlob(pgliteTemplate.archive) })
}

interface PgliteModule {
  readonly PGlite: { create(dataDir: string, options: { loadDataDir: Blob }): Promise<PgliteClient> }
}
