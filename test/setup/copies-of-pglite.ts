import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Storage } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'

/** PGlite storages, each on a copy of an empty data directory. */
export interface PgliteStorages {
  /** Opens a storage that is empty, migrated and independent of the storages opened before. */
  open(): Promise<Storage>
  /** Closes a storage returned by `open` and opens the same data again. */
  reopen(storage: Storage): Promise<Storage>
  /** Copies the snapshot to a new data directory, which is closed, empty and not migrated. */
  copySnapshot(): string
  /** Closes the storages and deletes their data. */
  dispose(): Promise<void>
}

/**
 * Creates a folder for data directories, on any runtime.
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
  function storageOn(dataDir: string): Storage {
    const storage = createPgliteStorage({ dataDir })
    directories.set(storage, dataDir)
    return storage
  }
  return {
    copySnapshot,
    async open() {
      const storage = storageOn(copySnapshot())
      await storage.migrate()
      return storage
    },
    async reopen(storage) {
      const dataDir = directories.get(storage)
      if (dataDir === undefined) throw new Error('the storage was not opened by this function')
      await storage.close()
      return storageOn(dataDir)
    },
    async dispose() {
      for (const storage of directories.keys()) await storage.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
