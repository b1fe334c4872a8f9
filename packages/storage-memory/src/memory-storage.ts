import {
  type AccountStorage,
  type Change,
  type CommitOutcome,
  findRefusal,
  type Storage,
  type StoredState,
  storageUnavailable,
  touchedBy,
} from '@halyard/core/storage'
import { type AccountData, emptyAccount, forkAccount } from './account-data.ts'
import { deepFreeze, freezeBody } from './deep-freeze.ts'
import { dumpRecords } from './dump.ts'
import { addKeys, countWithout, moveKeys, pageKeys, removeKeys } from './key-set.ts'
import { freezeRecords, loadRecords } from './load.ts'
import { createQuotaLeases, type QuotaLeases } from './quota-leases.ts'
import { appendSamples, deleteSamples, newestSamples, scanSamples, seriesKind, trimSamples } from './samples.ts'
import { listTasks } from './tasks.ts'
import { createWatchers, type Watchers } from './watchers.ts'

/** A storage whose data lives as long as its process, and that can be restored to an earlier snapshot. */
export interface MemoryStorage extends Storage {
  /** Takes a snapshot. It costs one pointer for each scope in use; content is shared until it changes. */
  snapshot(): MemorySnapshot
  /** Restores all accounts to a snapshot. The snapshot can be used again. */
  restore(snapshot: MemorySnapshot): void
}

declare const accountsOf: unique symbol

/** The content of a memory storage at one moment; opaque. */
export interface MemorySnapshot {
  readonly [accountsOf]: true
}

type Accounts = Map<string, AccountData>

/**
 * Opens an empty storage in memory.
 *
 * Every function of the storage runs synchronously from its first read to its last write, so commits are atomic, and no
 * read sees a part of a commit. Stored values belong to the storage: bodies, fields and samples are deeply frozen in
 * place, not copied, and reads return the same objects.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 *
 * const engine = createEngine({ storage: createMemoryStorage() })
 * const account = await engine.bootstrap()
 * console.log(typeof account?.token) // string
 * ```
 */
export function createMemoryStorage(): MemoryStorage {
  let accounts: Accounts = new Map()
  const watchers = new Map<string, Watchers>()
  let quotaLeases = new Map<string, QuotaLeases>()
  let closed = false

  function watchersOf(account: string): Watchers {
    const existing = watchers.get(account) ?? createWatchers(() => !closed)
    watchers.set(account, existing)
    return existing
  }

  function quotaLeasesOf(account: string): QuotaLeases {
    requireOpen()
    const existing = quotaLeases.get(account) ?? createQuotaLeases()
    quotaLeases.set(account, existing)
    return existing
  }

  function requireOpen(): Accounts {
    if (closed) throw storageUnavailable('the memory storage is closed')
    return accounts
  }

  function dataOf(account: string): AccountData {
    const existing = requireOpen().get(account)
    if (existing) return existing
    const data = emptyAccount()
    accounts.set(account, data)
    return data
  }

  return {
    name: 'memory',
    async migrate() {
      requireOpen()
    },
    async ping() {
      requireOpen()
    },
    async close() {
      closed = true
      accounts = new Map()
      for (const one of watchers.values()) one.close()
    },
    account: (account) =>
      accountStorage(
        () => dataOf(account),
        () => quotaLeasesOf(account),
        watchersOf(account),
      ),
    // Cast: the content of a snapshot is hidden from callers.
    snapshot: () => forkAccounts(requireOpen()) as unknown as MemorySnapshot,
    restore(snapshot) {
      requireOpen()
      // Cast: only `snapshot` creates snapshots.
      accounts = forkAccounts(snapshot as unknown as Accounts)
      quotaLeases = new Map()
      for (const one of watchers.values()) one.notify('anything')
    },
  }
}

function forkAccounts(accounts: Accounts): Accounts {
  const forks = [...accounts].map(([account, data]) => [account, forkAccount(data)] as const)
  return new Map(forks)
}

// The functions are `async`, so that a closed storage rejects the promise, as every other adapter does.
function accountStorage(data: () => AccountData, quotaLeases: () => QuotaLeases, watchers: Watchers): AccountStorage {
  return {
    immediate: true,
    async get(id) {
      return data().documents.find(id)
    },
    async getMany(ids) {
      const { documents } = data()
      return ids.map((id) => documents.find(id))
    },
    async list(query) {
      return data().documents.list(query)
    },
    async hasKey({ name, scope }, key) {
      return data().sets.find(name, scope)?.keys.has(key) ?? false
    },
    async findKeys({ name, scope }, elements) {
      const set = data().sets.find(name, scope)
      return set ? [...new Set(elements)].filter((key) => set.keys.has(key)) : []
    },
    async countKeys({ name, scope }, without) {
      const { sets } = data()
      const set = sets.find(name, scope)
      return set ? countWithout(set, without && sets.find(without.name, without.scope)) : 0
    },
    async pageKeys({ name, scope }, { after, limit }) {
      const set = data().sets.find(name, scope)
      return set ? pageKeys(set, after, limit) : []
    },
    async scan(query) {
      const { name, scope } = query.series
      return scanSamples(data().series.find(name, scope) ?? seriesKind.create(), query)
    },
    async newest(query) {
      const { name, scope } = query.series
      const series = data().series.find(name, scope)
      return series ? newestSamples(series, query) : []
    },
    async findSamples({ name, scope }, ids) {
      const series = data().series.find(name, scope)
      return series ? [...new Set(ids)].filter((id) => series.ids.has(id)) : []
    },
    async take(query) {
      return data().queues.take(query)
    },
    async listTasks({ name, scope }, page) {
      const queue = data().queues.store.find(name, scope)
      return queue ? listTasks(queue, page) : []
    },
    async commit(batch) {
      const outcome = commit(data(), batch)
      if (outcome.outcome === 'committed') watchers.notify(touchedBy(batch))
      return outcome
    },
    watch: watchers.add,
    async *dump() {
      // The fork is made when the first chunk is requested, synchronously, so the dump is of one moment. It costs other
      // callers nothing.
      yield* dumpRecords(forkAccount(data()))
    },
    async reserve(query) {
      return quotaLeases().reserve(query)
    },
  }
}

function commit(data: AccountData, batch: readonly Change[]): CommitOutcome {
  // The check for unsupported statements comes before the first write.
  if (batch.some(({ do: verb }) => verb === 'run-statement'))
    throw new TypeError('the memory storage runs no statements')
  const refusal = findRefusal(storedState(data), batch)
  if (refusal) return refusal
  // Freezing comes before the first write, because it throws for a value that is not JSON.
  for (const change of batch) freezeContent(change)
  return { outcome: 'committed', counts: batch.map((change) => apply(data, change)) }
}

function storedState({ documents, sets, series, queues }: AccountData): StoredState {
  return {
    versionOf: (id) => documents.find(id)?.version,
    takesOf: ({ name, scope }, task) => queues.store.find(name, scope)?.tasks.get(task)?.takes,
    contains(record) {
      switch (record.kind) {
        case 'member':
          return sets.find(record.set.name, record.set.scope)?.keys.has(record.member) ?? false
        case 'sample':
          return series.find(record.series.name, record.series.scope)?.ids.has(record.sample.id) ?? false
        case 'task':
          return queues.store.find(record.queue.name, record.queue.scope)?.tasks.has(record.task.id) ?? false
      }
    },
  }
}

function freezeContent(change: Change): void {
  if (change.do === 'append') for (const sample of change.samples) deepFreeze(sample)
  if (change.do === 'load') freezeRecords(change.records)
  if (change.do === 'enqueue') for (const task of change.tasks) deepFreeze(task)
  if ('body' in change) freezeBody(change.body)
  if ('fields' in change) deepFreeze(change.fields)
}

function apply(data: AccountData, change: Change): number {
  const { documents, sets, series, queues } = data
  switch (change.do) {
    case 'insert':
      documents.put(change.id, 1, change)
      return 1
    case 'replace':
      documents.put(change.id, change.version + 1, change)
      return 1
    case 'remove':
      documents.remove(change.id)
      return 1
    case 'ensure':
      if (!documents.find(change.id)) documents.put(change.id, 1, change)
      return 0
    case 'discard':
      if (documents.find(change.id)) documents.remove(change.id)
      return 0
    case 'discard-all':
      return documents.removeAll(change)
    case 'expect':
      return 0
    case 'clear':
      return [documents, sets, series, queues].reduce((sum, kind) => sum + kind.clear(change.scope), 0)
    case 'add-keys':
      return addKeys(sets.edit(change.set.name, change.set.scope), change.keys)
    case 'remove-keys':
      return removeKeys(sets.edit(change.set.name, change.set.scope), change.keys)
    case 'move-keys': {
      const from = sets.edit(change.from.name, change.from.scope)
      return moveKeys(from, sets.edit(change.into.name, change.into.scope), change.replace ?? false)
    }
    case 'append':
      return appendSamples(series.edit(change.series.name, change.series.scope), change.samples)
    case 'delete-samples':
      return deleteSamples(series.edit(change.series.name, change.series.scope), change.ids)
    case 'trim':
      return trimSamples(series.edit(change.series.name, change.series.scope), change.before)
    case 'enqueue':
      return queues.enqueue(change.queue, change.tasks)
    case 'finish':
      return queues.finish(change.queue, change.task)
    case 'postpone':
      return queues.postpone(change.queue, change.task, change)
    case 'load':
      return loadRecords(data, change.records)
    // The commit refuses statements.
    case 'run-statement':
      return 0
  }
}
