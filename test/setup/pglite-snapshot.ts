import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pgliteDependent } from './oldest-versions.ts'

/** Makes an empty data directory of PGlite, and an archive of it. */
export async function makePgliteSnapshot(projectName: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-test-'))
  const value = { directory: path.join(folder, 'pglite'), archive: path.join(folder, 'pglite.tar') }
  const stop = () => rmSync(folder, { recursive: true, force: true })
  try {
    // PGlite comes as a dependency of its storage. That package itself cannot be used here: a global setup is loaded
    // without the export conditions that lead to sources.
    const require = createRequire(pgliteDependent(projectName))
    const { PGlite } = require('@electric-sql/pglite') as PgliteModule
    const database = await PGlite.create(value.directory)
    writeFileSync(value.archive, Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer()))
    await database.close()
    return { value, stop }
  } catch (error) {
    stop()
    throw error
  }
}

interface PgliteModule {
  readonly PGlite: { create(dataDir: string): Promise<NewDatabase> }
}

interface NewDatabase {
  dumpDataDir(compression: 'none'): Promise<Blob>
  close(): Promise<void>
}
