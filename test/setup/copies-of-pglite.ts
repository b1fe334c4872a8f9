import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'

/** Storages of PGlite, each on a copy of an empty data directory. */
export interface PgliteStorages {
  /** Opens a storage that is empty and migrated, independent of those opened before. */
  open(): Promise<Storage>
  /** Closes a storage of `open` and opens the same data again. */
  reopen(storage: Storage): Promise<Storage>
  /** A data directory of its own, closed, empty and not migrated. */
  copySnapshot(): string
  /** Closes the storages and removes their data. */
  dispose(): Promise<void>
}

/**
 * Prepares a folder for data directories, in any runtime.
 *
 * @param snapshot an empty data directory, closed.
 */
export function copiesOfPglite(snapshot: string): PgliteStorages {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-pglite-'))
  const directories = new Map<Storage, string>()
  let copies = 0
  function copySnapshot(): string {
    const directory = path.join(folder, `data-${++copies}`)
    cpSync(snapshot, directory, { recursive: true })
    return directory
  }
  function use(dataDir: string): Storage {
    const storage = createPgliteStorage({ dataDir })
    directories.set(storage, dataDir)
    return storage
  }
  return {
    copySnapshot,
    async open() {
      const storage = use(copySnapshot())
      await storage.migrate()
      return storage
    },
    async reopen(storage) {
      const dataDir = directories.get(storage)
      if (dataDir === undefined) throw new Error('this storage was opened elsewhere')
      await storage.close()
      return use(dataDir)
    },
    async dispose() {
      for (const storage of directories.keys()) await storage.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
