import {
  type AccountStorage,
  coalesce,
  concernsOtherProcesses,
  type DocumentId,
  isOfScope,
  isStorageUnavailable,
  type ListQuery,
  noticePayload,
  type Storage,
  storageUnavailable,
  touchedBy,
  trackWindows,
  unescapeText,
} from '@halyard/core/storage'
import { type ChangeNotifier, changeNotifier } from './change-notifier.ts'
import { commitQueue } from './commit-queue.ts'
import { getDocuments, listDocuments } from './documents.ts'
import { driverOf, type SqliteDatabase } from './driver-of.ts'
import { dumpRecords } from './dump.ts'
import { countKeys, findKeys, pageKeys } from './key-sets.ts'
import { checkMigrated, migrate, notMigratedError } from './migrate.ts'
import { otherCommits } from './other-commits.ts'
import { reserveLease } from './quota-leases.ts'
import { storable } from './row-source.ts'
import { newestByTerms } from './sample-terms.ts'
import { findSamples, newestSamples, scanSamples } from './samples.ts'
import { readScopeLists } from './scope-lists.ts'
import type { AccountDatabase, Row, SqliteDriver, Statement } from './sqlite-driver.ts'
import { classifyError } from './sqlite-errors.ts'
import { listTasks, takeTasks } from './tasks.ts'

/** Options of `createSqliteStorage`. */
export interface SqliteStorageOptions {
  /**
   * A database of `libsql`, `better-sqlite3`, `node:sqlite` or `bun:sqlite`, a D1 database, the storage of a Durable
   * Object, or a client of `@libsql/client`. It belongs to the host: `close` leaves it open. Other code must not use
   * the same connection, because a transaction of that code would contain the writes of the storage.
   */
  readonly database: SqliteDatabase
  /**
   * Durability of a commit. `full`, the default, waits for the disk at each commit. `normal` does not wait: a power cut
   * can lose the newest commits, but never a part of a commit, and never the file. The end of a process loses no
   * commit. Only for connections to a file.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * Time for which a call waits while another process has locked the file, in ms, before it throws
   * `StorageUnavailable`. Default: 5000.
   */
  readonly busyTimeoutMs?: number
}

/**
 * Creates a storage on SQLite. All tables have the prefix `halyard_`. Nothing is sent before the first call, and only
 * `migrate()` creates tables.
 *
 * @throws TypeError when `database` is none of the supported databases.
 *
 * @example
 * ```ts
 * import { createSqliteStorage } from '@halyard/storage-sqlite'
 * import Database from 'libsql'
 *
 * const database = new Database('flags.db')
 * const storage = createSqliteStorage({ database })
 * console.log(storage.name) // sqlite
 * await storage.close()
 * database.close()
 * ```
 */
export function createSqliteStorage({
  database,
  synchronous = 'full',
  busyTimeoutMs = 5_000,
}: SqliteStorageOptions): Storage {
  const driver = escapingDriver(driverOf(database, { synchronous, busyTimeoutMs }))
  const { otherWriters } = driver
  const notifier = changeNotifier(typeof otherWriters === 'object' ? otherCommits(otherWriters) : undefined)
  let closed = false

  function openDriver(): SqliteDriver {
    if (closed) throw storageUnavailable('the sqlite storage is closed')
    return driver
  }

  /** Runs a function of the storage. The driver's errors are classified only here. */
  async function runVerb<T>(verb: (driver: SqliteDriver) => Promise<T>): Promise<T> {
    try {
      return await verb(openDriver())
    } catch (error) {
      throw toStorageError(error)
    }
  }

  const commit = commitQueue(openDriver)
  return {
    name: 'sqlite',
    migrate: () => runVerb(migrate),
    ping: () => runVerb(checkMigrated),
    async close() {
      closed = true
      notifier.close()
    },
    account: (account) => ({
      ...accountReads(account, runVerb, driver.sharesRequests),
      commit: (batch) => runVerb(() => commitAndNotify(notifier, commit, { account, batch, otherWriters })),
      ...(otherWriters !== 'invisible' && { watch: (onChange) => notifier.watch(account, onChange) }),
      async *dump() {
        try {
          yield* dumpRecords(openDriver(), account)
        } catch (error) {
          throw toStorageError(error)
        }
      },
    }),
  }
}

type RunVerb = <T>(verb: (driver: SqliteDriver) => Promise<T>) => Promise<T>

function accountReads(
  account: string,
  runVerb: RunVerb,
  sharesRequests: boolean,
): Omit<AccountStorage, 'commit' | 'watch' | 'dump'> {
  const read = <T>(verb: (database: AccountDatabase) => Promise<T>) => runVerb((driver) => verb({ driver, account }))
  const readMany = (ids: readonly DocumentId[]) => read((database) => getDocuments(database, ids))
  const getMany = sharesRequests ? coalesce(readMany) : readMany
  const isNewWindow = trackWindows()
  const readScopes = coalesce((lists: readonly ListQuery[]) => read((database) => readScopeLists(database, lists)))
  return {
    get: async (id) => (await getMany([id]))[0],
    getMany,
    async list(list) {
      const [page] = sharesRequests && isOfScope(list) ? await readScopes([list]) : []
      return page ?? read((database) => listDocuments(database, list))
    },
    hasKey: (set, key) => read(async (database) => (await findKeys(database, set, [key])).length > 0),
    findKeys: (set, keys) => read((database) => findKeys(database, set, keys)),
    countKeys: (set, without) => read((database) => countKeys(database, set, without)),
    pageKeys: (set, page) => read((database) => pageKeys(database, set, page)),
    scan: (scan) => read((database) => scanSamples(database, scan)),
    newest: (newest) =>
      read((database) => (newest.terms?.length ? newestByTerms(database, newest) : newestSamples(database, newest))),
    findSamples: (series, ids) => read((database) => findSamples(database, series, ids)),
    take: (take) => read((database) => takeTasks(database, take)),
    listTasks: (queue, page) => read((database) => listTasks(database, queue, page)),
    reserve: (query) => read((database) => reserveLease(database, query, isNewWindow(query.window))),
  }
}

interface NotifiedCommit {
  readonly account: string
  readonly batch: Parameters<AccountStorage['commit']>[0]
  readonly otherWriters: SqliteDriver['otherWriters']
}

/** Commits a batch, and notifies the watchers of this storage object before the commit resolves. */
async function commitAndNotify(
  notifier: ChangeNotifier,
  commit: ReturnType<typeof commitQueue>,
  { account, batch, otherWriters }: NotifiedCommit,
): ReturnType<AccountStorage['commit']> {
  const touched = touchedBy(batch)
  const leavesNotification = typeof otherWriters === 'object' && concernsOtherProcesses(batch)
  const notification = leavesNotification ? noticePayload({ sender: notifier.sender, account, touched }) : undefined
  try {
    const outcome = await commit({ account, batch, notification })
    if (outcome.outcome === 'committed') notifier.notify(account, touched)
    return outcome
  } catch (error) {
    notifier.changeSender()
    notifier.notify(account, touched)
    throw error
  }
}

/** Escapes the values of statements and unescapes the text of rows, because no text can contain U+0000. */
function escapingDriver(driver: SqliteDriver): SqliteDriver {
  const withStorableValues = (statement: Statement) => ({ ...statement, values: statement.values.map(storable) })
  return {
    ...driver,
    read: async (statements) =>
      (await driver.read(statements.map(withStorableValues))).map((rows) => rows.map(unescapeRow)),
    write: async (batches) => {
      const results = await driver.write(batches.map((statements) => statements.map(withStorableValues)))
      return results.map((result) =>
        'rows' in result ? { rows: result.rows.map((rows) => rows.map(unescapeRow)) } : result,
      )
    },
  }
}

function unescapeRow(row: Row): Row {
  const unescaped: Record<string, Row[string]> = {}
  for (const name in row) {
    const value = row[name] ?? null
    unescaped[name] = typeof value === 'string' ? unescapeText(value) : value
  }
  return unescaped
}

function toStorageError(error: unknown): unknown {
  if (isStorageUnavailable(error)) return error
  switch (classifyError(error)) {
    case 'busy':
    case 'unavailable':
      return storageUnavailable('the SQLite database does not answer', error)
    case 'unmigrated':
      return notMigratedError(error)
    default:
      return error
  }
}
