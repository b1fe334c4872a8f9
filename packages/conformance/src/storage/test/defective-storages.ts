import type { AccountStorage, Change, CommitOutcome, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'

type Defect = (correct: AccountStorage) => Partial<AccountStorage>

/** Storages with one defect each, and the group of cases that must detect it. */
export const defects: Readonly<Record<string, readonly [group: string, Defect]>> = {
  'always returns version 1': [
    'documents',
    (correct) => ({ get: async (id) => withDifference(await correct.get(id), { version: 1 }) }),
  ],
  'returns a shared object that can be changed': ['documents', returnSharedCopies],
  'sorts the properties of a body': [
    'documents',
    (correct) => ({
      get: async (id) =>
        withDifference(await correct.get(id), { body: withSortedProperties((await correct.get(id))?.body) }),
    }),
  ],
  'omits missing documents from getMany': [
    'documents',
    (correct) => ({
      getMany: async (ids) => (await correct.getMany(ids)).filter((document) => document !== undefined),
    }),
  ],
  'treats every scope as a prefix': [
    'scopes',
    (correct) => ({
      list: async (query) => {
        const { items } = await correct.list({ ...query, scope: '', deep: true })
        return { items: items.filter((item) => item.scope.startsWith(query.scope)), total: undefined }
      },
    }),
  ],
  'does not clear the scope itself': [
    'scopes',
    (correct) => ({
      commit: async (batch) =>
        correct.commit(
          batch.map((change): Change => (change.do === 'clear' ? { ...change, scope: `${change.scope}:` } : change)),
        ),
    }),
  ],
  'returns the result of the first of concurrent queries to all': [
    'concurrent reads',
    (correct) => {
      let first: ReturnType<AccountStorage['newest']> | undefined
      return { newest: (query) => (first ??= correct.newest(query).finally(() => (first = undefined))) }
    },
  ],
  'ignores the conditions of discard-all': [
    'commits',
    (correct) => ({
      commit: async (batch) =>
        correct.commit(
          batch.map((change): Change => (change.do === 'discard-all' ? { ...change, where: [] } : change)),
        ),
    }),
  ],
  'sorts by UTF-16 units': [
    'lists',
    (correct) => ({
      list: async (query) => {
        const page = await correct.list(query)
        return { ...page, items: [...page.items].sort((a, b) => (a.key < b.key ? -1 : 1)) }
      },
    }),
  ],
  'counts the items of the page instead of the matches': [
    'lists',
    (correct) => ({
      list: async (query) => {
        const { items } = await correct.list(query)
        return { items, total: query.count ? items.length : undefined }
      },
    }),
  ],
  'ignores negations': [
    'conditions',
    (correct) => ({
      list: (query) => correct.list({ ...query, where: query.where?.filter(({ op }) => op !== 'not') }),
    }),
  ],
  'ignores offsets': ['random lists', (correct) => ({ list: (query) => correct.list({ ...query, offset: 0 }) })],
  'omits the last key of each page': [
    'key sets',
    (correct) => ({ pageKeys: async (set, page) => (await correct.pageKeys(set, page)).slice(0, page.limit - 1) }),
  ],
  'leaves a key in the source of a move': [
    'key sets',
    (correct) => ({
      commit: async (batch) => {
        const result = await correct.commit(batch)
        const [move] = batch
        if (batch.length === 1 && move?.do === 'move-keys') {
          const members = await correct.pageKeys(move.into, { limit: 1 })
          await correct.commit([{ do: 'add-keys', set: move.from, keys: members }])
        }
        return result
      },
    }),
  ],
  'finds keys in every set': ['key sets', () => ({ findKeys: async (_, members) => [...members] })],
  'counts keys without comparing with the other set': [
    'key sets',
    (correct) => ({ countKeys: (set) => correct.countKeys(set) }),
  ],
  'trims one sample too many': [
    'samples',
    (correct) => ({ commit: (batch) => correct.commit(batch.map(trimOneMore)) }),
  ],
  'deletes no samples': ['samples', (correct) => ({ commit: (batch) => correct.commit(batch.map(deleteNoSamples)) })],
  'finds samples in every series': ['samples', () => ({ findSamples: async (_, ids) => [...ids] })],
  'ignores `since` of newest': ['samples', (correct) => ({ newest: ({ since, ...query }) => correct.newest(query) })],
  'takes tasks that are not due yet': [
    'tasks',
    (correct) => ({ take: (query) => correct.take({ ...query, now: query.now + 1 }) }),
  ],
  'takes tasks without leases': ['tasks', (correct) => ({ take: (query) => correct.take({ ...query, until: 0 }) })],
  'takes more tasks than requested': [
    'tasks',
    (correct) => ({ take: (query) => correct.take({ ...query, limit: 100 }) }),
  ],
  'ignores ordering keys': [
    'tasks',
    (correct) => ({ commit: (batch) => correct.commit(batch.map(withOwnOrderingKeys)) }),
  ],
  'lets any caller finish a task': [
    'tasks',
    (correct) => ({ commit: (batch) => correct.commit(batch.map(withoutTakeCount)) }),
  ],
  'ignores the cursor of listTasks': [
    'tasks',
    (correct) => ({ listTasks: (queue, { limit }) => correct.listTasks(queue, { limit }) }),
  ],
  'takes the tasks that became due last': [
    'random tasks',
    (correct) => ({ take: async (query) => (await correct.take({ ...query, limit: 100 })).slice(-query.limit) }),
  ],
  'does not count how often a task was taken': [
    'task races',
    (correct) => ({ take: async (query) => (await correct.take(query)).map((change) => ({ ...change, takes: 1 })) }),
  ],
  'gives one task to two callers': ['task races', repeatLastTake],
  'includes the end of a time range': [
    'samples',
    (correct) => ({ scan: (query) => correct.scan({ ...query, to: query.to + 1 }) }),
  ],
  'commits each change of a batch separately': [
    'commits',
    (correct) => ({ commit: (batch) => commitSeparately(correct, batch) }),
  ],
  'overwrites an existing document on ensure': [
    'commits',
    (correct) => ({
      commit: async (batch) => {
        const existing = await Promise.all(batch.map((change) => ('id' in change ? correct.get(change.id) : undefined)))
        const overwriting = batch.map((change, i): Change => {
          const version = existing[i]?.version
          return change.do === 'ensure' && version ? { ...change, do: 'replace', version } : change
        })
        return correct.commit(overwriting)
      },
    }),
  ],
  'pauses between the changes of a batch': [
    'isolation',
    (correct) => ({ commit: (batch) => commitSeparately(correct, batch) }),
  ],
  'ignores expect changes': [
    'isolation',
    (correct) => ({
      commit: async (batch) => {
        const result = await correct.commit(batch.filter((change) => change.do !== 'expect'))
        return result.outcome === 'committed' ? { ...result, counts: batch.map(() => 1) } : { ...result, change: 0 }
      },
    }),
  ],
  'loses updates': [
    'isolation',
    (correct) => ({
      commit: async (batch) => {
        const result = await correct.commit(batch)
        return result.outcome === 'conflict' ? { outcome: 'committed', counts: [1] } : result
      },
    }),
  ],
  'grants an amount that another caller has reserved': [
    'quota leases',
    (correct) => ({
      // Reads first and reserves later, so a concurrent reservation between the two is not considered.
      reserve: async (query) => {
        const { remaining } = (await correct.reserve?.({ ...query, requested: 0 })) ?? { remaining: 0 }
        await correct.reserve?.(query)
        return { granted: Math.min(remaining, query.requested), remaining: Math.max(0, remaining - query.requested) }
      },
    }),
  ],
  'removes every window but the newest': [
    'quota leases',
    (correct) => {
      let newest = 0
      return {
        reserve: async (query) => {
          const hasEnded = query.window < newest || query.until > query.window + 60_000
          newest = Math.max(newest, query.window)
          return hasEnded && newest > 0
            ? { granted: query.requested, remaining: query.limit - query.requested }
            : (correct.reserve?.(query) ?? { granted: 0, remaining: 0 })
        },
      }
    },
  ],
  'omits the statements of the application': [
    'statements',
    (correct) => ({ commit: (batch) => correct.commit(batch.filter((change) => change.do !== 'run-statement')) }),
  ],
  'counts transactions that have ended as open': [
    'transaction numbers',
    (correct) => {
      let next = 0
      return {
        commit: (batch) => correct.commit(batch).finally(() => next++),
        transactionNumbers: async () => ({ oldestOpen: next + 1, next }),
      }
    },
  ],
  'adds at most 65,535 keys of a change, the maximum number of parameters of a statement': [
    'scale',
    (correct) => ({
      commit: (batch) =>
        correct.commit(
          batch.map((change) => ('keys' in change ? { ...change, keys: change.keys.slice(0, 65_535) } : change)),
        ),
    }),
  ],
  'returns results after it was closed': ['lifecycle', () => ({ countKeys: async () => 0 })],
}

/** Makes a memory storage that has the defect. */
export function withDefect(defect: Defect): Storage {
  const correct = createMemoryStorage()
  return {
    ...correct,
    account(name) {
      const account = correct.account(name)
      return { ...account, ...defect(account) }
    },
  }
}

function trimOneMore(change: Change): Change {
  return change.do === 'trim' ? { ...change, before: change.before + 1 } : change
}

function deleteNoSamples(change: Change): Change {
  return change.do === 'delete-samples' ? { ...change, ids: [] } : change
}

function withOwnOrderingKeys(change: Change): Change {
  if (change.do !== 'enqueue') return change
  return { ...change, tasks: change.tasks.map((task) => ({ ...task, lane: task.id })) }
}

function withoutTakeCount(change: Change): Change {
  return change.do === 'finish' ? { do: 'finish', queue: change.queue, task: change.task } : change
}

/** Returns the same result to every second caller as to the caller before it. */
function repeatLastTake(correct: AccountStorage): Partial<AccountStorage> {
  let last: ReturnType<AccountStorage['take']> | undefined
  return {
    take(query) {
      const result = last ?? correct.take(query)
      last = last ? undefined : result
      return result
    },
  }
}

function withDifference<T extends object>(document: T | undefined, difference: Partial<T>): T | undefined {
  return document && { ...document, ...difference }
}

function withSortedProperties(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the same unfrozen copy of a document on each read. */
function returnSharedCopies(correct: AccountStorage): Partial<AccountStorage> {
  const copies = new Map<string, Awaited<ReturnType<AccountStorage['get']>>>()
  return {
    async get(id) {
      if (!copies.has(id.key)) copies.set(id.key, structuredClone(await correct.get(id)))
      return copies.get(id.key)
    },
  }
}

async function commitSeparately(correct: AccountStorage, batch: readonly Change[]): Promise<CommitOutcome> {
  const counts: number[] = []
  for (const [change, singleChange] of batch.entries()) {
    const result = await correct.commit([singleChange])
    if (result.outcome !== 'committed') return { outcome: result.outcome, change }
    counts.push(result.counts[0] ?? 0)
  }
  return { outcome: 'committed', counts }
}
