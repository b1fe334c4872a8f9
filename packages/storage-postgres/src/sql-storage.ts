import {
  type AccountStorage,
  coalesce,
  type DocumentId,
  isStorageUnavailable,
  type RecentReads,
  type Storage,
  storageUnavailable,
  trackWindows,
} from '@halyard/core/storage'
import { batchReads } from './batch-reads.ts'
import { type ChangeNotifier, changeNotifier } from './change-notifier.ts'
import { commitBatch, commitTogether } from './commit.ts'
import { getDocument, getDocuments, listDocuments } from './documents.ts'
import { dumpRecords } from './dump.ts'
import { escapingQuery, readEscaped } from './escaping-query.ts'
import { groupCommits } from './group-commits.ts'
import { countKeys, findKeys, hasKey, pageKeys } from './key-sets.ts'
import { checkMigrated, migrate, notMigratedError } from './migrate.ts'
import type { BatchWithNotice } from './notice.ts'
import { reserveLease } from './quota-leases.ts'
import { type ReplicaReads, replicaReads } from './replica-reads.ts'
import { findSamples, newestByTerms, newestSamples, scanSamples } from './samples.ts'
import { isScopeList } from './scope-lists.ts'
import type { Query, SqlDriver } from './sql-driver.ts'
import { classifyError } from './sqlstate.ts'
import { namingQuery, StatementNames } from './statement-names.ts'
import { type Tables, tablesOf } from './tables.ts'
import { takeTasks } from './take-tasks.ts'
import { listTasks } from './tasks.ts'
import { readTransactionNumbers } from './transaction-numbers.ts'

/** Options of `createSqlStorage`. */
export interface SqlStorageOptions {
  /** Name of the storage in logs. */
  readonly name: string
  readonly driver: SqlDriver
  /** Name of the schema that contains the tables. Default: `halyard`. */
  readonly schema?: string
  /** Number of partitions of the tables of a new schema. Default: 0, for plain tables. */
  readonly partitions?: number
  /** Sends notices about commits to other processes. Default: true. */
  readonly notify?: boolean
}

/**
 * Makes a storage on any database that is compatible with Postgres.
 *
 * @throws TypeError when the schema's name is not 1 to 40 characters of `[a-z0-9_]`.
 */
export function createSqlStorage({
  name,
  driver: rawDriver,
  schema = 'halyard',
  partitions = 0,
  notify = true,
}: SqlStorageOptions): Storage {
  const tables = tablesOf(schema)
  const driver = preparingDriver(rawDriver, new StatementNames(tables.schema))
  const replicas = rawDriver.replicas ?? []
  const notifier: ChangeNotifier = changeNotifier(tables.channel, rawDriver.listen, notify, (account) =>
    replicaQueries?.changed(account),
  )
  const replicaQueries =
    replicas.length === 0
      ? undefined
      : replicaReads({ primary: rawDriver.query, replicas, isNotified: () => notifier.isNotified() })
  const { within } = rawDriver
  let closing: Promise<void> | undefined

  /** Runs a function of the storage. The driver's errors are classified only here. */
  async function runVerb<T>(verb: (driver: SqlDriver) => Promise<T>): Promise<T> {
    if (closing) throw storageUnavailable(`the ${name} storage is closed`)
    try {
      return await verb(driver)
    } catch (error) {
      throw toStorageError(error, name, tables)
    }
  }

  return {
    name,
    migrate: () => runVerb((driver) => migrate(driver, tables, partitions)),
    ping: () => runVerb(({ query }) => checkMigrated(query, tables)),
    close: () => (closing ??= notifier.close().then(() => driver.close())),
    account: (account) => ({
      ...accountStorage(account, tables, runVerb, notifier, driver.inHostTransaction === true),
      ...(replicaQueries && { recent: recentReads(account, tables, runVerb, replicaQueries) }),
      async *dump() {
        if (closing) throw storageUnavailable(`the ${name} storage is closed`)
        try {
          yield* dumpRecords(driver, tables, account)
        } catch (error) {
          throw toStorageError(error, name, tables)
        }
      },
    }),
    // Watchers of this storage receive the commits of such a transaction by notices.
    ...(within && {
      within: (transaction: unknown) => createSqlStorage({ name, driver: within(transaction), schema }),
    }),
  }
}

type AccountVerbs = Omit<AccountStorage, 'dump' | 'recent'>

type RunVerb = <T>(verb: (driver: SqlDriver) => Promise<T>) => Promise<T>

function accountStorage(
  account: string,
  tables: Tables,
  runVerb: RunVerb,
  notifier: ChangeNotifier,
  inHostTransaction: boolean,
): AccountVerbs {
  const { watch } = notifier
  const writeOne = (batch: BatchWithNotice) => runVerb((driver) => commitBatch(driver, tables, account, batch))
  const write = inHostTransaction
    ? writeOne
    : groupCommits({
        writeOne,
        writeMany: (batches) => runVerb((driver) => commitTogether(driver, tables, account, batches)),
      })
  const isNewWindow = trackWindows()
  return {
    runsStatements: true,
    ...accountReads(account, tables, (read) => runVerb(({ query }) => read(query))),
    findSamples: (series, ids) => runVerb(({ query }) => findSamples(query, tables, account, series, ids)),
    take: (take) => runVerb(({ query }) => takeTasks(query, tables, account, take)),
    listTasks: (queue, page) => runVerb(({ query }) => listTasks(query, tables, account, queue, page)),
    commit: (batch) => notifier.commit(account, batch, (notice) => write({ batch, notice })),
    ...(watch && { watch: (onChange) => watch(account, onChange) }),
    transactionNumbers: () => runVerb(({ query }) => readTransactionNumbers(query)),
    reserve: (request) =>
      runVerb(({ query }) => reserveLease(query, tables, account, request, isNewWindow(request.window))),
  }
}

/** Makes the reads of an account. `run` runs each of them, and classifies its errors. */
function accountReads(
  account: string,
  tables: Tables,
  run: <T>(read: (query: Query) => Promise<T>) => Promise<T>,
): RecentReads {
  const getMany = coalesce((ids: readonly DocumentId[]) =>
    run(async (query) => {
      const [first, ...others] = ids
      // Reading one document by its whole key costs half as much as reading a list of one key.
      if (first && others.length === 0) return [await getDocument(query, tables, account, first)]
      return getDocuments(query, tables, account, ids)
    }),
  )
  const { select, listScope } = batchReads((statement) => run((query) => query(statement)), tables, account)
  return {
    get: async (id) => (await getMany([id]))[0],
    getMany,
    // Lists with bodies are not combined: pages for many callers are faster on many connections.
    list: (list) => {
      if (list.select === 'bodies') return run((query) => listDocuments(query, tables, account, list))
      return isScopeList(list) ? listScope(list) : listDocuments(select, tables, account, list)
    },
    hasKey: (set, key) => run((query) => hasKey(query, tables, account, set, key)),
    findKeys: (set, keys) => run((query) => findKeys(query, tables, account, set, keys)),
    countKeys: (set, without) => run((query) => countKeys(query, tables, account, set, without)),
    pageKeys: (set, page) => run((query) => pageKeys(query, tables, account, set, page)),
    scan: (scan) => scanSamples(select, tables, account, scan),
    newest: (newest) =>
      newest.terms && newest.terms.length > 0
        ? run((query) => newestByTerms(query, tables, account, newest))
        : newestSamples(select, tables, account, newest),
  }
}

/** Makes the reads of an account that may run on replicas. */
function recentReads(account: string, tables: Tables, runVerb: RunVerb, replicaQueries: ReplicaReads): RecentReads {
  const recentQuery = escapingQuery(replicaQueries.queryOf(account))
  const reads = accountReads(account, tables, (read) => runVerb(() => read(recentQuery)))
  const getStored = (ids: readonly DocumentId[]) => runVerb(({ query }) => getDocuments(query, tables, account, ids))
  const getMany = async (ids: readonly DocumentId[]) => {
    const documents = await reads.getMany(ids)
    const missing = ids.filter((_, i) => documents[i] === undefined)
    if (missing.length === 0) return documents
    // Another process may have created the missing documents just now, and its client may read them through this
    // process.
    const storedDocuments = (await getStored(missing)).values()
    return documents.map((document) => document ?? storedDocuments.next().value)
  }
  return { ...reads, getMany, get: async (id) => (await getMany([id]))[0] }
}

/** Returns a driver that escapes texts and names statements which return often. */
function preparingDriver(driver: SqlDriver, names: StatementNames): SqlDriver {
  const prepared = (query: Query) => namingQuery(escapingQuery(query), names)
  return {
    query: prepared(driver.query),
    transaction: (work) => driver.transaction((query) => work(prepared(query))),
    read: (selections) => readEscaped(driver, selections),
    inHostTransaction: driver.inHostTransaction,
    close: () => driver.close(),
  }
}

function toStorageError(error: unknown, name: string, tables: Tables): unknown {
  if (isStorageUnavailable(error)) return error
  switch (classifyError(error)) {
    case 'unavailable':
      return storageUnavailable(`${name} does not answer`, error)
    case 'fenced':
      return storageUnavailable('the account is being moved to another database', error)
    case 'over':
      return storageUnavailable('the transaction of the host has failed or is over', error)
    case 'unmigrated':
      return notMigratedError(tables, error)
    default:
      return error
  }
}
