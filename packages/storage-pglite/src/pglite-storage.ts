import { type Storage, storageUnavailable } from '@halyard/core/storage'
import { createSqlStorage } from '@halyard/storage-postgres/sql'
import { claimDataDirectory, isInMemory } from './data-directory.ts'
import { openDatabase } from './new-database.ts'
import { type PgliteClient, pgliteDriver } from './pglite-driver.ts'

/** The data directory of PGlite, or the instance to use. */
export type PgliteStorageOptions = {
  /** Name of the schema that contains the tables: 1 to 40 characters of `[a-z0-9_]`. Default `halyard`. */
  readonly schema?: string
} & (
  | {
      /** Path of a directory, created when missing, or `memory://`. It belongs to the storage until `close`. */
      readonly dataDir: string
    }
  | {
      /**
       * A PGlite database of the host, which also ensures that no other process uses its directory. `close` leaves it
       * open.
       */
      readonly client: PgliteClient
    }
)

/**
 * Creates a storage on PGlite: Postgres in this process, without a server.
 *
 * The first call of any function, such as `migrate()`, loads PGlite, and locks and opens the data directory. When the
 * directory is in use or unusable, the call throws `StorageUnavailable` with the reason; the next call tries again.
 *
 * A commit survives the end of the process, however it ends, but not a power cut: PGlite's build of Postgres does not
 * wait for the disk.
 *
 * @throws TypeError when the schema's name is not 1 to 40 of `[a-z0-9_]`.
 *
 * @example
 * ```ts
 * import { createPgliteStorage } from '@halyard/storage-pglite'
 *
 * // The first use of the storage opens the directory; `memory://` keeps the data in memory.
 * const storage = createPgliteStorage({ dataDir: './halyard-data' })
 * console.log(storage.name) // pglite
 * await storage.close()
 * ```
 */
export function createPgliteStorage(options: PgliteStorageOptions): Storage {
  const { open, close } = 'client' in options ? borrowed(options.client) : owned(options.dataDir)
  return createSqlStorage({ name: 'pglite', driver: pgliteDriver(open, close), schema: options.schema })
}

interface Database {
  open(): Promise<PgliteClient>
  close(): Promise<void>
}

function borrowed(client: PgliteClient): Database {
  return { open: async () => client, close: async () => {} }
}

function owned(dataDir: string): Database {
  let opening: Promise<OpenDatabase> | undefined
  const reportFailure = (error: unknown) => {
    opening = undefined
    throw storageUnavailable(error instanceof Error ? error.message : String(error), error)
  }
  return {
    async open() {
      opening ??= openOwned(dataDir).catch(reportFailure)
      return (await opening).client
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

interface OpenDatabase {
  readonly client: PgliteClient
  close(): Promise<void>
}

async function openOwned(dataDir: string): Promise<OpenDatabase> {
  const lock = isInMemory(dataDir) ? undefined : claimDataDirectory(dataDir)
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const client = await openDatabase(dataDir, (directory, options) => PGlite.create(directory, options))
    return {
      client,
      async close() {
        // The lock is released last, because PGlite writes until it is closed.
        await client.close().finally(() => lock?.release())
      },
    }
  } catch (cause) {
    lock?.release()
    throw new Error(`PGlite cannot open ${dataDir}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
