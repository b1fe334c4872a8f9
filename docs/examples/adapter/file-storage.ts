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
import { type Cabinet, createCabinet } from './cabinet.ts'
import { compareRows, meets } from './conditions.ts'
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

  function opened(name: string): Account {
    if (closed) throw storageUnavailable('the file storage is closed')
    const known = accounts.get(name) ?? openAccount(fileOf(directory, name))
    accounts.set(name, known)
    return known
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
    account: (name) => accountStorage(() => opened(name)),
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
  readonly cabinet: Cabinet
  /** Appends the line to the journal and commits the changes, or undoes them. */
  write(line: string): void
}

// #region journal
/** One line of the journal. */
type Entry = { readonly commit: readonly Change[] } | { readonly take: TakeQuery }

function openAccount(file: string): Account {
  const cabinet = createCabinet()
  // A line without a line break was being written when the process died; its commit was never acknowledged.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  for (const line of lines) {
    const entry = parse(line)
    if ('commit' in entry) applyBatch(cabinet, entry.commit)
    else takeTasks(cabinet, entry.take)
    cabinet.keep()
  }
  return {
    cabinet,
    write(line) {
      try {
        appendFileSync(file, `${line}\n`)
        cabinet.keep()
      } catch (error) {
        cabinet.undo()
        throw storageUnavailable('the journal cannot be written', error)
      }
    },
  }
}

/** Serializes an entry. JSON would write `-0` as `0`, which is another number. */
function print(entry: Entry): string {
  const zero = randomUUID()
  const text = JSON.stringify(entry, (_, value) => (Object.is(value, -0) ? zero : value))
  return text.replaceAll(`"${zero}"`, '-0')
}

/** Parses a line; the values are frozen, so that they can be returned many times. */
function parse(line: string): Entry {
  return JSON.parse(line, (_, value) => Object.freeze(value))
}
// #endregion

// Methods are `async` so that a closed storage rejects. None of them awaits anything, so that each reads one consistent
// state.
function accountStorage(opened: () => Account): AccountStorage {
  // #region commit
  const commit: AccountStorage['commit'] = async (batch) => {
    const { cabinet, write } = opened()
    const line = print({ commit: batch })
    // Applies the entry as it will be read from the journal: no caller can change it, and a body that is not JSON fails
    // at once.
    const outcome = applyBatch(cabinet, (parse(line) as { commit: Change[] }).commit)
    if (outcome.outcome === 'committed') write(line)
    return outcome
  }
  // #endregion

  // #region list
  const list: AccountStorage['list'] = async (query) => {
    const { collection, where = [], order = [], offset = 0, limit } = query
    const { cabinet } = opened()
    const rows = scopesOf(cabinet, query)
      .flatMap((scope) => [...cabinet.drawer('document', { name: collection, scope }).records.values()])
      .filter((row) => where.every((condition) => meets(row, condition)))
      .sort((a, b) => compareRows(a, b, order))
    const items = rows.slice(offset, offset + limit).map(({ id, version, fields, body }) => {
      return { key: id.key, scope: id.scope, version, fields, body: query.select === 'bodies' ? body : undefined }
    })
    return { items, total: query.count ? rows.length : undefined }
  }
  // #endregion

  const get: AccountStorage['get'] = async ({ collection, scope, key }) => {
    const found = opened().cabinet.find('document', { name: collection, scope }, key)
    return found && { key, scope, version: found.version, body: found.body }
  }
  const membersOf = (set: { name: string; scope: string }) => opened().cabinet.drawer('member', set).records

  return {
    get,
    getMany: (ids) => Promise.all(ids.map(get)),
    list,
    hasKey: async (set, member) => membersOf(set).has(member),
    findKeys: async (set, members) => [...new Set(members)].filter((member) => membersOf(set).has(member)),
    countKeys: async (set, without) => countMembers(membersOf(set), without && membersOf(without)),
    async pageKeys(set, { after, limit }) {
      const members = [...membersOf(set).keys()].sort(compareCodePoints)
      return members.filter((member) => after === undefined || compareCodePoints(member, after) > 0).slice(0, limit)
    },
    scan: async (query) => scanSamples(samplesOf(opened(), query), query),
    newest: async (query) => newestSamples(samplesOf(opened(), query), query),
    async take(query) {
      const { cabinet, write } = opened()
      const taken = takeTasks(cabinet, query)
      if (taken.length > 0) write(print({ take: query }))
      return taken
    },
    listTasks: async (queue, page) => listTasks(opened().cabinet, queue, page),
    commit,
    async *dump() {
      yield* dumpRecords(opened().cabinet)
    },
  }
}

function countMembers(members: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown> | undefined): number {
  return others ? [...members.keys()].filter((member) => !others.has(member)).length : members.size
}

function listTasks(cabinet: Cabinet, ...[queue, { after, limit }]: Parameters<AccountStorage['listTasks']>): Task[] {
  const records = [...cabinet.drawer('task', queue).records.values()].sort(compareTasks)
  const tasks = records.map(({ task }) => task)
  const isLater = ({ at, id }: { at: number; id: string }) =>
    !after || at > after.at || (at === after.at && compareCodePoints(id, after.id) > 0)
  return tasks.filter(isLater).slice(0, limit)
}

function scopesOf(
  cabinet: Cabinet,
  { collection, scope, deep }: { collection: string; scope: string; deep?: boolean },
) {
  if (!deep) return [scope]
  return cabinet
    .drawers()
    .filter((drawer) => drawer.kind === 'document' && drawer.name === collection && isUnder(drawer.scope, scope))
    .map((drawer) => drawer.scope)
}

function samplesOf({ cabinet }: Account, { series }: { series: { name: string; scope: string } }) {
  return [...cabinet.drawer('sample', series).records.values()].map(({ sample }) => sample)
}
