import {
  type AccountStorage,
  type DocumentId,
  isStorageUnavailable,
  type Storage,
  storageUnavailable,
} from '@halyard/core/storage'
import { coalesced } from './coalesced.ts'
import { commitBatch, commitTogether } from './commit.ts'
import { commitGroups, type NoticedBatch } from './commit-groups.ts'
import { getDocument, getDocuments, listDocuments } from './documents.ts'
import { dumpRecords } from './dump.ts'
import { countKeys, findKeys, hasKey, pageKeys } from './members.ts'
import { checkMigrated, migrate, unmigrated } from './migrate.ts'
import { type NoticeBoard, noticeBoard } from './notice-board.ts'
import { newestByTerms, newestSamples, scanSamples } from './samples.ts'
import { selectedTogether } from './selected-together.ts'
import { newWindows, reserveShare } from './shares.ts'
import type { SqlDriver } from './sql-driver.ts'
import { troubleOf } from './sqlstate.ts'
import { readingAnyText, storingAnyText } from './storable-text.ts'
import { type Tables, tablesOf } from './tables.ts'
import { takeTasks } from './take-tasks.ts'
import { listTasks } from './tasks.ts'

/** Options of `createSqlStorage`. */
export interface SqlStorageOptions {
  /** Name of the storage in logs. */
  readonly name: string
  readonly driver: SqlDriver
  /** Name of the schema that contains the tables. Default: `halyard`. */
  readonly schema?: string
  /** Whether notices about commits are sent to other processes. Default: true. */
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
  const driver = storingAnyTextDriver(rawDriver)
  const board = noticeBoard(tables.channel, rawDriver.listen, notify)
  const { within } = rawDriver
  let closing: Promise<void> | undefined

  /** Runs a verb. The driver's errors are classified only here. */
  async function ask<T>(verb: (driver: SqlDriver) => Promise<T>): Promise<T> {
    if (closing) throw storageUnavailable(`the ${name} storage is closed`)
    try {
      return await verb(driver)
    } catch (error) {
      throw translate(error, name, tables)
    }
  }

  return {
    name,
    migrate: () => ask((driver) => migrate(driver, tables)),
    ping: () => ask(({ query }) => checkMigrated(query, tables)),
    close: () => (closing ??= board.close().then(() => driver.close())),
    account: (account) => ({
      ...accountStorage(account, tables, ask, board, driver.inHostTransaction === true),
      async *dump() {
        if (closing) throw storageUnavailable(`the ${name} storage is closed`)
        try {
          yield* dumpRecords(driver, tables, account)
        } catch (error) {
          throw translate(error, name, tables)
        }
      },
    }),
    // Watchers of this storage, too, learn of a commit in that transaction only by its notice.
    ...(within && {
      within: (transaction: unknown) => createSqlStorage({ name, driver: within(transaction), schema }),
    }),
  }
}

type AnswersOfAccount = Omit<AccountStorage, 'dump'>

type Ask = <T>(verb: (driver: SqlDriver) => Promise<T>) => Promise<T>

function accountStorage(
  account: string,
  tables: Tables,
  ask: Ask,
  board: NoticeBoard,
  inHostTransaction: boolean,
): AnswersOfAccount {
  const { watch } = board
  const getMany = coalesced((ids: readonly DocumentId[]) =>
    ask(async ({ query }) => {
      const [first, ...others] = ids
      // Reading one document by its whole key costs half of what a list of one costs.
      if (first && others.length === 0) return [await getDocument(query, tables, account, first)]
      return getDocuments(query, tables, account, ids)
    }),
  )
  const alone = (given: NoticedBatch) => ask((driver) => commitBatch(driver, tables, account, given))
  const write = inHostTransaction
    ? alone
    : commitGroups({ alone, together: (given) => ask((driver) => commitTogether(driver, tables, account, given)) })
  const isNewWindow = newWindows()
  const together = selectedTogether((statement) => ask(({ query }) => query(statement)))
  return {
    get: async (id) => (await getMany([id]))[0],
    getMany,
    // Lists with bodies are not combined: pages for many callers are faster on many connections.
    list: (list) =>
      list.select === 'fields'
        ? listDocuments(together, tables, account, list)
        : ask(({ query }) => listDocuments(query, tables, account, list)),
    hasKey: (set, member) => ask(({ query }) => hasKey(query, tables, account, set, member)),
    findKeys: (set, members) => ask(({ query }) => findKeys(query, tables, account, set, members)),
    countKeys: (set, without) => ask(({ query }) => countKeys(query, tables, account, set, without)),
    pageKeys: (set, page) => ask(({ query }) => pageKeys(query, tables, account, set, page)),
    scan: (scan) => scanSamples(together, tables, account, scan),
    newest: (newest) =>
      newest.terms && newest.terms.length > 0
        ? ask(({ query }) => newestByTerms(query, tables, account, newest))
        : newestSamples(together, tables, account, newest),
    take: (take) => ask(({ query }) => takeTasks(query, tables, account, take)),
    listTasks: (queue, page) => ask(({ query }) => listTasks(query, tables, account, queue, page)),
    commit: (batch) => board.commit(account, batch, (notice) => write({ batch, notice })),
    ...(watch && { watch: (told) => watch(account, told) }),
    reserve: (share) => ask(({ query }) => reserveShare(query, tables, account, share, isNewWindow(share.window))),
  }
}

function storingAnyTextDriver(driver: SqlDriver): SqlDriver {
  return {
    query: storingAnyText(driver.query),
    transaction: (work) => driver.transaction((query) => work(storingAnyText(query))),
    read: (selections) => readingAnyText(driver, selections),
    inHostTransaction: driver.inHostTransaction,
    close: () => driver.close(),
  }
}

function translate(error: unknown, name: string, tables: Tables): unknown {
  if (isStorageUnavailable(error)) return error
  switch (troubleOf(error)) {
    case 'unavailable':
      return storageUnavailable(`${name} does not answer`, error)
    case 'over':
      return storageUnavailable('the transaction of the host has failed or is over', error)
    case 'unmigrated':
      return unmigrated(tables, error)
    default:
      return error
  }
}
