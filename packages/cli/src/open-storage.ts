import type { Storage } from '@halyard/core/storage'
import { cliError } from './cli-error.ts'

/**
 * Opens the storage that an option names: `memory`, `sqlite:<file>`, `pglite:<directory>` or `postgres://…`.
 *
 * Each adapter is loaded only when it is selected, so that a server on Postgres never loads PGlite.
 *
 * @throws CliError for any other value.
 */
export async function openStorage(option: string): Promise<Storage> {
  if (option === 'memory') return (await import('@halyard/storage-memory')).createMemoryStorage()
  if (option.startsWith('sqlite:')) return openSqlite(option.slice('sqlite:'.length))
  if (option.startsWith('pglite:')) return openPglite(option.slice('pglite:'.length))
  if (/^postgres(ql)?:\/\//.test(option)) return openPostgres(option)
  throw cliError(
    `--storage must be memory, sqlite:<file>, pglite:<directory> or postgres://…, not "${withoutPassword(option)}"`,
  )
}

async function openSqlite(file: string): Promise<Storage> {
  if (file === '') throw cliError('--storage sqlite: needs a file, e.g. sqlite:./flags.db')
  const [{ default: Database }, { createSqliteStorage }] = await Promise.all([
    import('libsql'),
    import('@halyard/storage-sqlite'),
  ])
  const database = connect(file, () => new Database(file))
  const storage = createSqliteStorage({ database })
  return { ...storage, close: () => storage.close().then(() => void database.close()) }
}

/** @throws CliError that names the file when it cannot be opened. */
function connect<Database>(file: string, open: () => Database): Database {
  try {
    return open()
  } catch (error) {
    throw cliError(`--storage sqlite:${file} cannot be opened: ${error instanceof Error ? error.message : error}`)
  }
}

async function openPglite(dataDir: string): Promise<Storage> {
  if (dataDir === '') throw cliError('--storage pglite: needs a directory, e.g. pglite:.halyard')
  const { createPgliteStorage } = await import('@halyard/storage-pglite')
  return createPgliteStorage({ dataDir })
}

async function openPostgres(connectionString: string): Promise<Storage> {
  if (!URL.canParse(connectionString)) throw cliError('--storage is not a valid Postgres URL')
  const [{ default: pg }, { createPostgresStorage }] = await Promise.all([
    import('pg'),
    import('@halyard/storage-postgres'),
  ])
  const pool = new pg.Pool({ connectionString })
  // An idle connection that the server closes is replaced at the next call. Without a listener, its error would end the
  // process.
  pool.on('error', () => {})
  const storage = createPostgresStorage({ pool })
  return { ...storage, close: () => storage.close().then(() => pool.end()) }
}

/** Returns a storage option without its password, so that it can be printed. */
export function withoutPassword(option: string): string {
  return option.replace(/\/\/([^:/@]+):[^@]*@/, '//$1:***@')
}
