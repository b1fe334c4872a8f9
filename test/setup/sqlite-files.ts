import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { StorageHarness } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { createSqliteStorage, type SqliteDatabase } from '@halyard/storage-sqlite'

/** A connection, or a client, that can be closed. */
export type OpenConnection = SqliteDatabase & { close(): unknown }

/** Storages on files of their own, each opened by its own connection. */
export interface SqliteFiles extends Required<Pick<StorageHarness, 'open' | 'reopen' | 'openSecond'>> {
  /** Returns the path of a file that does not exist yet. */
  newFile(): string
  /** Opens a file, and migrates it. */
  openFile(file: string): Promise<Storage>
  /** Closes all storages and deletes their files. */
  dispose(): void
}

/**
 * Makes a harness for a package that opens SQLite files.
 *
 * @param connect opens a connection to a file.
 */
export function sqliteFiles(connect: (file: string) => OpenConnection | Promise<OpenConnection>): SqliteFiles {
  const directory = mkdtempSync(path.join(tmpdir(), 'halyard-sqlite-'))
  const opened = new Map<Storage, { readonly file: string; readonly connection: OpenConnection }>()
  let files = 0

  const newFile = () => path.join(directory, `${++files}.db`)

  async function openFile(file: string): Promise<Storage> {
    const connection = await connect(file)
    // Commits do not wait for the disk, because such waits would take most of the time of a suite.
    const storage = createSqliteStorage({ database: connection, synchronous: 'normal' })
    opened.set(storage, { file, connection })
    await storage.migrate()
    return storage
  }

  const fileOf = (storage: Storage) => opened.get(storage)?.file ?? ''

  return {
    newFile,
    openFile,
    open: () => openFile(newFile()),
    async reopen(storage) {
      await storage.close()
      opened.get(storage)?.connection.close()
      return openFile(fileOf(storage))
    },
    openSecond: (storage) => openFile(fileOf(storage)),
    dispose() {
      for (const { connection } of opened.values()) {
        try {
          connection.close()
        } catch {
          // The storage was closed by `reopen`.
        }
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
