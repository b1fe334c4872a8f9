import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type AccountStorage,
  type Change,
  isUnder,
  type Storage,
  storageUnavailable,
  type TakeQuery,
  type Task,
} from '@halyard/core/storage'
import { compareCodePoints } from '@halyard/core/storage'
import { applyBatch } from './apply-change.ts'
import { type RecordStore, createRecordStore } from './record-store.ts'
import { compareRows, matches } from './conditions.ts'
import { dumpRecords } from './dump-records.ts'
import { newestSamples, scanSamples } from './read-samples.ts'
import { compareTasks, takeTasks } from './take-tasks.ts'

// #region storage
/**
 * Creates a storage that appends commits to a journal in a directory, one file for each account, and keeps the
 * resulting records in memory. One process may use it at a time.
 */
export function createFileStorage(directory: string): Storage {
  const accounts = new Map<string, Account>()
  let closed = false

  function openedAccount(name: string): Account {
    if (closed) throw storageUnavailable('the file storage is closed')
    const account = accounts.get(name) ?? openAccount(fileOf(directory, name))
    accounts.set(name, account)
    return account
  }

  return {
    name: 'file',
    async migrate() {
      if (closed) throw storageUnavailable('the file storage is closed')
      mkdirSync(directory, { recursive: true })
    },
    async ping() {
      if (closed || !existsSync(directory)) throw storageUnavailable('the directory does not exist; run migrate()')
    },
    async close() {
      closed = true
      accounts.clear()
    },
    account: (name) => accountStorage(() => openedAccount(name)),
  }
}
// #endregion

/**
 * Returns a hash as the name of the file, because names of accounts may be invalid file names, or differ only by case.
 */
function fileOf(directory: string, account: string): string {
  return path.join(directory, `${createHash('sha256').update(account).digest('hex')}.ndjson`)
}

interface Account {
  readonly store: RecordStore
  /** Appends the line to the journal and commits the changes, or undoes them. */
  write(line: string): void
}

// #region journal
/** One line of the journal. */
type Entry = { readonly commit: readonly Change[] } | { readonly take: TakeQuery }

function openAccount(file: string): Account {
  const store = createRecordStore()
  // A line without a line break was being written when the process died; its commit was never acknowledged.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  for (const line of lines) {
    const entry = parse(line)
    if ('commit' in entry) applyBatch(store, entry.commit)
    else takeTasks(store, entry.take)
    store.commit()
  }
  return {
    store,
    write(line) {
      try {
        appendFileSync(file, `${line}\n`)
        store.commit()
      } catch (error) {
        store.undo()
        throw storageUnavailable('the journal cannot be written', error)
      }
    },
  }
}

/** Serializes an entry. JSON would write `-0` as `0`, which loses the sign. */
function serialize(entry: Entry): string {
  const negativeZero = randomUUID()
  const text = JSON.stringify(entry, (_, value) => (Object.is(value, -0) ? negativeZero : value))
  return text.replaceAll(`"${negativeZero}"`, '-0')
}

/** Parses a line; the values are frozen, so that they can be returned many times. */
function parse(line: string): Entry {
  return JSON.parse(line, (_, value) => Object.freeze(value))
}
// #endregion

// Methods are `async`, so that a closed storage rejects. No method awaits anything, so each reads one consistent state.
function accountStorage(getAccount: () => Account): AccountStorage {
  // #region commit
  const commit: AccountStorage['commit'] = async (batch) => {
    const { store, write } = getAccount()
    const line = serialize({ commit: batch })
    // Applies the entry as it will be read from the journal: no caller can change it, and a body that is not JSON fails
    // immediately.
    const outcome = applyBatch(store, (parse(line) as { commit: Change[] }).commit)
    if (outcome.outcome === 'committed') write(line)
    return outcome
  }
  // #endregion

  // #region list
  const list: AccountStorage['list'] = async (query) => {
    const { collection, where: conditions = [], order = [], offset = 0, limit } = query
    const { store } = getAccount()
    const rows = scopesOf(store, query)
      .flatMap((scope) => [...store.drawer('document', { name: collection, scope }).records.values()])
      .filter((row) => conditions.every((condition) => matches(row, condition)))
      .sort((a, b) => compareRows(a, b, order))
    const items = rows.slice(offset, offset + limit).map(({ id, version, fields, body }) => {
      return { key: id.key, scope: id.scope, version, fields, body: query.select === 'bodies' ? body : undefined }
    })
    return { items, total: query.count ? rows.length : undefined }
  }
  // #endregion

  const get: AccountStorage['get'] = async ({ collection, scope, key }) => {
    const document = getAccount().store.find('document', { name: collection, scope }, key)
    return document && { key, scope, version: document.version, body: document.body }
  }
  const keysOf = (set: { name: string; scope: string }) => getAccount().store.drawer('member', set).records

  return {
    get,
    getMany: (ids) => Promise.all(ids.map(get)),
    list,
    hasKey: async (set, key) => keysOf(set).has(key),
    findKeys: async (set, keys) => [...new Set(keys)].filter((key) => keysOf(set).has(key)),
    countKeys: async (set, without) => countKeys(keysOf(set), without && keysOf(without)),
    async pageKeys(set, { after, limit }) {
      const keys = [...keysOf(set).keys()].sort(compareCodePoints)
      return keys.filter((key) => after === undefined || compareCodePoints(key, after) > 0).slice(0, limit)
    },
    scan: async (query) => scanSamples(samplesOf(getAccount(), query), query),
    newest: async (query) => newestSamples(samplesOf(getAccount(), query), query),
    async take(query) {
      const { store, write } = getAccount()
      const tasks = takeTasks(store, query)
      if (tasks.length > 0) write(serialize({ take: query }))
      return tasks
    },
    listTasks: async (queue, page) => listTasks(getAccount().store, queue, page),
    commit,
    async *dump() {
      yield* dumpRecords(getAccount().store)
    },
  }
}

function countKeys(keys: ReadonlyMap<string, unknown>, excludedKeys: ReadonlyMap<string, unknown> | undefined): number {
  return excludedKeys ? [...keys.keys()].filter((key) => !excludedKeys.has(key)).length : keys.size
}

function listTasks(store: RecordStore, ...[queue, { after, limit }]: Parameters<AccountStorage['listTasks']>): Task[] {
  const records = [...store.drawer('task', queue).records.values()].sort(compareTasks)
  const tasks = records.map(({ task }) => task)
  const isLater = ({ at, id }: { at: number; id: string }) =>
    !after || at > after.at || (at === after.at && compareCodePoints(id, after.id) > 0)
  return tasks.filter(isLater).slice(0, limit)
}

function scopesOf(
  store: RecordStore,
  { collection, scope, deep }: { collection: string; scope: string; deep?: boolean },
) {
  if (!deep) return [scope]
  return store
    .partitions()
    .filter(
      (partition) => partition.kind === 'document' && partition.name === collection && isUnder(partition.scope, scope),
    )
    .map((partition) => partition.scope)
}

function samplesOf({ store }: Account, { series }: { series: { name: string; scope: string } }) {
  return [...store.drawer('sample', series).records.values()].map(({ sample }) => sample)
}
