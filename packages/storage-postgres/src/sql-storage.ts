import {
  type AccountStorage,
  coalesce,
  type DocumentId,
  isStorageUnavailable,
  type Storage,
  storageUnavailable,
  trackWindows,
} from '@halyard/core/storage'
import { batchSelects } from './batch-selects.ts'
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
import { findSamples, newestByTerms, newestSamples, scanSamples } from './samples.ts'
import type { SqlDriver } from './sql-driver.ts'
import { classifyError } from './sqlstate.ts'
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
  notify = true,
}: SqlStorageOptions): Storage {
  const tables = tablesOf(schema)
  const driver = escapingDriver(rawDriver)
  const notifier = changeNotifier(tables.channel, rawDriver.listen, notify)
  const { within } = rawDriver
  let closing: Promise<void> | undefined

  /** Runs a verb. The driver's errors are classified only here. */
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
    migrate: () => runVerb((driver) => migrate(driver, tables)),
    ping: () => runVerb(({ query }) => checkMigrated(query, tables)),
    close: () => (closing ??= notifier.close().then(() => driver.close())),
    account: (account) => ({
      ...accountStorage(account, tables, runVerb, notifier, driver.inHostTransaction === true),
      async *dump() {
        if (closing) throw storageUnavailable(`the ${name} storage is closed`)
        try {
          yield* dumpRecords(driver, tables, account)
        } catch (error) {
          throw toStorageError(error, name, tables)
        }
      },
    }),
    // Watchers of this storage are notified of a commit in that transaction only by its notice, too.
    ...(within && {
      within: (transaction: unknown) => createSqlStorage({ name, driver: within(transaction), schema }),
    }),
  }
}

type AccountVerbs = Omit<AccountStorage, 'dump'>

type RunVerb = <T>(verb: (driver: SqlDriver) => Promise<T>) => Promise<T>

function accountStorage(
  account: string,
  tables: Tables,
  runVerb: RunVerb,
  notifier: ChangeNotifier,
  inHostTransaction: boolean,
): AccountVerbs {
  const { watch } = notifier
  const getMany = coalesce((ids: readonly DocumentId[]) =>
    runVerb(async ({ query }) => {
      const [first, ...others] = ids
      // Reading one document by its whole key costs half of what a list of one costs.
      if (first && others.length === 0) return [await getDocument(query, tables, account, first)]
      return getDocuments(query, tables, account, ids)
    }),
  )
  const writeOne = (batch: BatchWithNotice) => runVerb((driver) => commitBatch(driver, tables, account, batch))
  const write = inHostTransaction
    ? writeOne
    : groupCommits({
        writeOne,
        writeMany: (batches) => runVerb((driver) => commitTogether(driver, tables, account, batches)),
      })
  const isNewWindow = trackWindows()
  const batchedSelect = batchSelects((statement) => runVerb(({ query }) => query(statement)))
  return {
    runsStatements: true,
    get: async (id) => (await getMany([id]))[0],
    getMany,
    // Lists with bodies are not combined: pages for many callers are faster on many connections.
    list: (list) =>
      list.select === 'fields'
        ? listDocuments(batchedSelect, tables, account, list)
        : runVerb(({ query }) => listDocuments(query, tables, account, list)),
    hasKey: (set, key) => runVerb(({ query }) => hasKey(query, tables, account, set, key)),
    findKeys: (set, keys) => runVerb(({ query }) => findKeys(query, tables, account, set, keys)),
    countKeys: (set, without) => runVerb(({ query }) => countKeys(query, tables, account, set, without)),
    pageKeys: (set, page) => runVerb(({ query }) => pageKeys(query, tables, account, set, page)),
    scan: (scan) => scanSamples(batchedSelect, tables, account, scan),
    newest: (newest) =>
      newest.terms && newest.terms.length > 0
        ? runVerb(({ query }) => newestByTerms(query, tables, account, newest))
        : newestSamples(batchedSelect, tables, account, newest),
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

function escapingDriver(driver: SqlDriver): SqlDriver {
  return {
    query: escapingQuery(driver.query),
    transaction: (work) => driver.transaction((query) => work(escapingQuery(query))),
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
    case 'over':
      return storageUnavailable('the transaction of the host has failed or is over', error)
    case 'unmigrated':
      return notMigratedError(tables, error)
    default:
      return error
  }
}
