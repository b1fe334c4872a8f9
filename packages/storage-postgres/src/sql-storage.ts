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
import type { BatchWithNotification } from './commits/change-notification.ts'
import { type ChangeNotifier, changeNotifier } from './commits/change-notifier.ts'
import { commitBatch, commitTogether } from './commits/commit.ts'
import { groupCommits } from './commits/group-commits.ts'
import { type ReplicaReads, replicaReads } from './connections/replica-reads.ts'
import type { Query, SqlDriver } from './connections/sql-driver.ts'
import { classifyError } from './connections/sqlstate.ts'
import { readTransactionNumbers } from './connections/transaction-numbers.ts'
import { batchReads } from './documents/batch-reads.ts'
import { getDocument, getDocuments, listDocuments } from './documents/documents.ts'
import { isScopeList } from './documents/scope-lists.ts'
import { dumpRecords } from './dump.ts'
import { countKeys, findKeys, hasKey, pageKeys } from './key-sets.ts'
import { reserveLease } from './quota-leases.ts'
import { findSamples, newestByTerms, newestSamples, scanSamples } from './samples/samples.ts'
import { checkMigrated, migrate, notMigratedError } from './schema/migrate.ts'
import { type Tables, tablesOf } from './schema/tables.ts'
import type { AccountQueries } from './statements/account-queries.ts'
import { escapingQuery, readEscaped } from './statements/escaping-query.ts'
import type { Select } from './statements/select.ts'
import { namingQuery, StatementNames } from './statements/statement-names.ts'
import { takeTasks } from './tasks/take-tasks.ts'
import { listTasks } from './tasks/tasks.ts'

/** Options of `createSqlStorage`. */
export interface SqlStorageOptions {
  /** Name of the storage in logs. */
  readonly name: string
  readonly driver: SqlDriver
  /** Name of the schema that contains the tables. Default: `halyard`. */
  readonly schema?: string
  /** Number of partitions of the tables of a new schema. Default: 0, for plain tables. */
  readonly partitions?: number
  /** Sends change notifications about commits to other processes. Default: true. */
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
  const notifier: ChangeNotifier = changeNotifier({
    channel: tables.channel,
    listen: rawDriver.listen,
    notify,
    onChange: (account) => replicaQueries?.changed(account),
  })
  const replicaQueries =
    replicas.length === 0
      ? undefined
      : replicaReads({ primary: rawDriver.query, replicas, isNotified: () => notifier.isNotified() })
  const { within } = rawDriver
  let closing: Promise<void> | undefined

  /** Runs a function of the storage. The driver's errors are classified only here. */
  async function runVerb<T>(verb: () => Promise<T>): Promise<T> {
    if (closing) throw storageUnavailable(`the ${name} storage is closed`)
    try {
      return await verb()
    } catch (error) {
      throw toStorageError(error, name, tables)
    }
  }

  const parts: StorageParts = { driver, notifier, runVerb }
  return {
    name,
    migrate: () => runVerb(() => migrate(driver, tables, partitions)),
    ping: () => runVerb(() => checkMigrated(driver.query, tables)),
    close: () => (closing ??= notifier.close().then(() => driver.close())),
    account: (account) => {
      const queries: AccountQueries = { tables, account, query: driver.query }
      return {
        ...accountStorage(queries, parts),
        ...(replicaQueries && { recent: recentReads(queries, runVerb, replicaQueries) }),
        async *dump() {
          if (closing) throw storageUnavailable(`the ${name} storage is closed`)
          try {
            yield* dumpRecords(driver, queries)
          } catch (error) {
            throw toStorageError(error, name, tables)
          }
        },
      }
    },
    // Watchers of this storage receive the commits of such a transaction by notifications.
    ...(within && {
      within: (transaction: unknown) => createSqlStorage({ name, driver: within(transaction), schema }),
    }),
  }
}

type AccountVerbs = Omit<AccountStorage, 'dump' | 'recent'>

type RunVerb = <T>(verb: () => Promise<T>) => Promise<T>

/** Parts that all accounts of a storage share. */
interface StorageParts {
  readonly driver: SqlDriver
  readonly notifier: ChangeNotifier
  readonly runVerb: RunVerb
}

function accountStorage(queries: AccountQueries, { driver, notifier, runVerb }: StorageParts): AccountVerbs {
  const { account, query } = queries
  const { watch } = notifier
  const writeOne = (batch: BatchWithNotification) => runVerb(() => commitBatch(driver, queries, batch))
  const write = driver.inHostTransaction
    ? writeOne
    : groupCommits({ writeOne, writeMany: (batches) => runVerb(() => commitTogether(driver, queries, batches)) })
  const isNewWindow = trackWindows()
  return {
    runsStatements: true,
    ...accountReads(queries, runVerb),
    findSamples: (series, ids) => runVerb(() => findSamples(queries, series, ids)),
    take: (take) => runVerb(() => takeTasks(queries, take)),
    listTasks: (queue, page) => runVerb(() => listTasks(queries, queue, page)),
    commit: (batch) => notifier.commit(account, batch, (notification) => write({ batch, notification })),
    ...(watch && { watch: (onChange) => watch(account, onChange) }),
    transactionNumbers: () => runVerb(() => readTransactionNumbers(query)),
    reserve: (request) => runVerb(() => reserveLease(queries, request, isNewWindow(request.window))),
  }
}

/** Makes the reads of an account. `runVerb` runs each of them, and classifies its errors. */
function accountReads(queries: AccountQueries, runVerb: RunVerb): RecentReads {
  const getMany = coalesce((ids: readonly DocumentId[]) =>
    runVerb(async () => {
      const [first, ...others] = ids
      // Reading one document by its whole key costs half as much as reading a list of one key.
      if (first && others.length === 0) return [await getDocument(queries, first)]
      return getDocuments(queries, ids)
    }),
  )
  const { select, listScope } = batchReads({
    ...queries,
    query: (statement) => runVerb(() => queries.query(statement)),
  })
  const selects: AccountQueries<Select> = { ...queries, query: select }
  return {
    get: async (id) => (await getMany([id]))[0],
    getMany,
    // Lists with bodies are not combined: pages for many callers are faster on many connections.
    list: (list) => {
      if (list.select === 'bodies') return runVerb(() => listDocuments(queries, list))
      return isScopeList(list) ? listScope(list) : listDocuments(selects, list)
    },
    hasKey: (set, key) => runVerb(() => hasKey(queries, set, key)),
    findKeys: (set, keys) => runVerb(() => findKeys(queries, set, keys)),
    countKeys: (set, without) => runVerb(() => countKeys(queries, set, without)),
    pageKeys: (set, page) => runVerb(() => pageKeys(queries, set, page)),
    scan: (scan) => scanSamples(selects, scan),
    newest: (newest) =>
      newest.terms && newest.terms.length > 0
        ? runVerb(() => newestByTerms(queries, newest))
        : newestSamples(selects, newest),
  }
}

/** Makes the reads of an account that may run on replicas. */
function recentReads(queries: AccountQueries, runVerb: RunVerb, replicaQueries: ReplicaReads): RecentReads {
  const query = escapingQuery(replicaQueries.queryOf(queries.account))
  const reads = accountReads({ ...queries, query }, runVerb)
  const getStored = (ids: readonly DocumentId[]) => runVerb(() => getDocuments(queries, ids))
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

/** Returns a driver that escapes texts and names statements that run often. */
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
