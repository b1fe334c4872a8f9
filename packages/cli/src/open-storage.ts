import type { Storage } from '@halyard/core/storage'
import type { SqliteConnection } from '@halyard/storage-sqlite'
import { cliError } from './cli-error.ts'
import { withoutPassword } from './without-password.ts'

/** Options of Postgres: URLs of further connections, and partitions. */
interface PostgresSettings {
  readonly listen?: string
  readonly replica?: string
  /** Number of partitions of the tables of a new schema. */
  readonly partitions?: number
}

/**
 * Opens the storage that an option names: `memory`, `sqlite:<file>`, `pglite:<directory>` or `postgres://…`.
 *
 * Each adapter is loaded only when it is selected, so that a server on Postgres never loads PGlite.
 *
 * @param options.listen URL of the Postgres server itself, where `option` names a pooler.
 * @param options.replica URL of a streaming replica of the Postgres server.
 * @param options.partitions number of partitions that `migrate` creates in a new schema.
 * @throws CliError for any other value.
 */
export async function openStorage(option: string, options: PostgresSettings = {}): Promise<Storage> {
  if (!isPostgresUrl(option)) {
    if (options.listen !== undefined) throw cliError('--storage-listen needs a Postgres storage')
    if (options.replica !== undefined) throw cliError('--storage-replica needs a Postgres storage')
    if (options.partitions !== undefined) throw cliError('--partitions needs a Postgres storage')
  }
  if (option === 'memory') return (await import('@halyard/storage-memory')).createMemoryStorage()
  if (option.startsWith('sqlite:')) return openSqlite(option.slice('sqlite:'.length))
  if (option.startsWith('pglite:')) return openPglite(option.slice('pglite:'.length))
  if (isPostgresUrl(option)) return openPostgres(option, options)
  throw cliError(
    `--storage must be memory, sqlite:<file>, pglite:<directory> or postgres://…, not "${withoutPassword(option)}"`,
  )
}

async function openSqlite(file: string): Promise<Storage> {
  if (file === '') throw cliError('--storage sqlite: needs a file, e.g. sqlite:./flags.db')
  const [Database, { createSqliteStorage }] = await Promise.all([
    loadSqlite(import('libsql'), () => import('node:sqlite' as string)),
    import('@halyard/storage-sqlite'),
  ])
  const database = connect(file, () => new Database(file))
  const storage = createSqliteStorage({ database })
  return { ...storage, close: () => storage.close().then(() => void database.close()) }
}

interface SqliteFile extends SqliteConnection {
  close(): unknown
}

type OpenFile = new (file: string) => SqliteFile

/**
 * Returns the class that opens a SQLite file: of `libsql`, or of Node on a platform for which `libsql` has no binary.
 *
 * @param builtIn imports `node:sqlite`, which Node 22.5 and newer have.
 * @throws CliError when neither `libsql` nor `node:sqlite` can be imported.
 */
export async function loadSqlite(
  libsql: Promise<{ readonly default: OpenFile }>,
  builtIn: () => Promise<{ readonly DatabaseSync: OpenFile }>,
): Promise<OpenFile> {
  try {
    return (await libsql).default
  } catch (error) {
    try {
      return (await builtIn()).DatabaseSync
    } catch {
      throw cliError(
        '--storage sqlite: needs Node 22.5 or newer on this platform, or another storage, e.g. pglite:.halyard',
        error,
      )
    }
  }
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

function isPostgresUrl(option: string): boolean {
  return /^postgres(ql)?:\/\//.test(option)
}

/**
 * URL parameter that names the mode of a pooler. The only value is `transaction`, because poolers in other modes need
 * no parameter.
 */
const poolerParameter = 'pooler'

async function openPostgres(option: string, { listen, replica, partitions }: PostgresSettings): Promise<Storage> {
  const { url, behindPooler } = readPostgresUrl(option)
  refuseInvalidUrl('--storage-listen', listen)
  refuseInvalidUrl('--storage-replica', replica)
  if (replica !== undefined && behindPooler && listen === undefined) {
    throw cliError('--storage-replica needs --storage-listen where --storage names a pooler')
  }
  const [{ default: pg }, { createPostgresStorage }] = await Promise.all([
    import('pg'),
    import('@halyard/storage-postgres'),
  ])
  const openPool = (connectionString: string, max?: number) => {
    const pool = new pg.Pool({ connectionString, max })
    // An idle connection that the server closes is replaced at the next call. Without a listener, its error would end
    // the process.
    pool.on('error', () => {})
    return pool
  }
  const pool = openPool(url)
  const watchPool = listen === undefined ? undefined : openPool(listen, 1)
  const watch = watchPool !== undefined || !behindPooler
  const replicaPool = replica === undefined ? undefined : openPool(replica)
  const replicas = replicaPool ? [replicaPool] : []
  const storage = createPostgresStorage({ pool, prepare: !behindPooler, watch, watchPool, replicas, partitions })
  const close = async () => {
    await storage.close()
    await Promise.all([pool.end(), watchPool?.end(), replicaPool?.end()])
  }
  return { ...storage, close }
}

/** @throws CliError when the value of an option is set and is not a Postgres URL. */
function refuseInvalidUrl(option: string, value: string | undefined): void {
  if (value === undefined || (isPostgresUrl(value) && URL.canParse(value))) return
  throw cliError(`${option} is not a valid Postgres URL`)
}

/** @throws CliError for a text that is not a URL, and for a pooler that is not `transaction`. */
function readPostgresUrl(option: string): { readonly url: string; readonly behindPooler: boolean } {
  if (!URL.canParse(option)) throw cliError('--storage is not a valid Postgres URL')
  const url = new URL(option)
  const pooler = url.searchParams.get(poolerParameter)
  if (pooler === null) return { url: option, behindPooler: false }
  if (pooler !== 'transaction') throw cliError(`--storage: ${poolerParameter} must be transaction, not "${pooler}"`)
  url.searchParams.delete(poolerParameter)
  return { url: url.href, behindPooler: true }
}
