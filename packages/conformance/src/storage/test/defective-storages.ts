import type { AccountStorage, Change, CommitOutcome, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'

type Defect = (sound: AccountStorage) => Partial<AccountStorage>

/** Storages with one defect each, and the group of cases that must detect it. */
export const defects: Readonly<Record<string, readonly [group: string, Defect]>> = {
  'always returns version 1': ['documents', (sound) => ({ get: async (id) => changed(await sound.get(id), { version: 1 }) })],
  'returns a shared object that can be changed': ['documents', sharedAndWritable],
  'sorts the properties of a body': [
    'documents',
    (sound) => ({
      get: async (id) => changed(await sound.get(id), { body: membersSorted((await sound.get(id))?.body) }),
    }),
  ],
  'omits missing documents from getMany': [
    'documents',
    (sound) => ({ getMany: async (ids) => (await sound.getMany(ids)).filter((document) => document !== undefined) }),
  ],
  'treats every scope as a prefix': [
    'scopes',
    (sound) => ({
      list: async (query) => {
        const { items } = await sound.list({ ...query, scope: '', deep: true })
        return { items: items.filter((item) => item.scope.startsWith(query.scope)), total: undefined }
      },
    }),
  ],
  'does not clear the scope itself': [
    'scopes',
    (sound) => ({
      commit: async (batch) =>
        sound.commit(
          batch.map((change): Change => (change.do === 'clear' ? { ...change, scope: `${change.scope}:` } : change)),
        ),
    }),
  ],
  'returns the result of the first of concurrent queries to all': [
    'concurrent reads',
    (sound) => {
      let first: ReturnType<AccountStorage['newest']> | undefined
      return { newest: (query) => (first ??= sound.newest(query).finally(() => (first = undefined))) }
    },
  ],
  'ignores the conditions of discard-all': [
    'commits',
    (sound) => ({
      commit: async (batch) =>
        sound.commit(batch.map((change): Change => (change.do === 'discard-all' ? { ...change, where: [] } : change))),
    }),
  ],
  'sorts by UTF-16 units': [
    'lists',
    (sound) => ({
      list: async (query) => {
        const page = await sound.list(query)
        return { ...page, items: [...page.items].sort((a, b) => (a.key < b.key ? -1 : 1)) }
      },
    }),
  ],
  'counts the items of the page instead of the matches': [
    'lists',
    (sound) => ({
      list: async (query) => {
        const { items } = await sound.list(query)
        return { items, total: query.count ? items.length : undefined }
      },
    }),
  ],
  'ignores negations': [
    'conditions',
    (sound) => ({
      list: (query) => sound.list({ ...query, where: query.where?.filter(({ op }) => op !== 'not') }),
    }),
  ],
  'ignores offsets': ['random lists', (sound) => ({ list: (query) => sound.list({ ...query, offset: 0 }) })],
  'omits the last key of each page': [
    'members',
    (sound) => ({ pageKeys: async (set, page) => (await sound.pageKeys(set, page)).slice(0, page.limit - 1) }),
  ],
  'leaves a key in the source of a move': [
    'members',
    (sound) => ({
      commit: async (batch) => {
        const result = await sound.commit(batch)
        const [move] = batch
        if (batch.length === 1 && move?.do === 'move-members') {
          const members = await sound.pageKeys(move.into, { limit: 1 })
          await sound.commit([{ do: 'add-members', set: move.from, members }])
        }
        return result
      },
    }),
  ],
  'finds keys in every set': ['members', () => ({ findKeys: async (_, members) => [...members] })],
  'counts keys without comparing with the other set': ['members', (sound) => ({ countKeys: (set) => sound.countKeys(set) })],
  'trims one sample too many': ['samples', (sound) => ({ commit: (batch) => sound.commit(batch.map(trimmingMore)) })],
  'deletes no samples': ['samples', (sound) => ({ commit: (batch) => sound.commit(batch.map(withdrawingNothing)) })],
  'ignores `since` of newest': ['samples', (sound) => ({ newest: ({ since, ...query }) => sound.newest(query) })],
  'takes tasks that are not due yet': [
    'tasks',
    (sound) => ({ take: (query) => sound.take({ ...query, now: query.now + 1 }) }),
  ],
  'takes without leases': ['tasks', (sound) => ({ take: (query) => sound.take({ ...query, until: 0 }) })],
  'takes more tasks than requested': ['tasks', (sound) => ({ take: (query) => sound.take({ ...query, limit: 100 }) })],
  'ignores ordering keys': ['tasks', (sound) => ({ commit: (batch) => sound.commit(batch.map(inOwnLanes)) })],
  'lets any caller finish a task': ['tasks', (sound) => ({ commit: (batch) => sound.commit(batch.map(unfenced)) })],
  'ignores the cursor of listTasks': [
    'tasks',
    (sound) => ({ listTasks: (queue, { limit }) => sound.listTasks(queue, { limit }) }),
  ],
  'takes the tasks that became due last': [
    'random tasks',
    (sound) => ({ take: async (query) => (await sound.take({ ...query, limit: 100 })).slice(-query.limit) }),
  ],
  'does not count how often a task was taken': [
    'task races',
    (sound) => ({ take: async (query) => (await sound.take(query)).map((one) => ({ ...one, takes: 1 })) }),
  ],
  'gives one task to two callers': ['task races', lastTakenAgain],
  'includes the end of a time range': ['samples', (sound) => ({ scan: (query) => sound.scan({ ...query, to: query.to + 1 }) })],
  'commits each change of a batch separately': ['commits', (sound) => ({ commit: (batch) => oneByOne(sound, batch) })],
  'overwrites an existing document on ensure': [
    'commits',
    (sound) => ({
      commit: async (batch) => {
        const there = await Promise.all(batch.map((one) => ('id' in one ? sound.get(one.id) : undefined)))
        const forced = batch.map((one, i): Change => {
          const version = there[i]?.version
          return one.do === 'ensure' && version ? { ...one, do: 'replace', version } : one
        })
        return sound.commit(forced)
      },
    }),
  ],
  'pauses between the changes of a batch': ['isolation', (sound) => ({ commit: (batch) => oneByOne(sound, batch) })],
  'ignores expect changes': [
    'isolation',
    (sound) => ({
      commit: async (batch) => {
        const result = await sound.commit(batch.filter((change) => change.do !== 'expect'))
        return result.outcome === 'committed' ? { ...result, counts: batch.map(() => 1) } : { ...result, change: 0 }
      },
    }),
  ],
  'loses updates': [
    'isolation',
    (sound) => ({
      commit: async (batch) => {
        const result = await sound.commit(batch)
        return result.outcome === 'conflict' ? { outcome: 'committed', counts: [1] } : result
      },
    }),
  ],
  'grants an amount that another caller has reserved': [
    'shares',
    (sound) => ({
      // Reads first and reserves later, so a concurrent reservation between the two is not considered.
      reserve: async (share) => {
        const { left } = (await sound.reserve?.({ ...share, wanted: 0 })) ?? { left: 0 }
        await sound.reserve?.(share)
        return { granted: Math.min(left, share.wanted), left: Math.max(0, left - share.wanted) }
      },
    }),
  ],
  'removes every window but the newest': [
    'shares',
    (sound) => {
      let newest = 0
      return {
        reserve: async (share) => {
          const over = share.window < newest || share.until > share.window + 60_000
          newest = Math.max(newest, share.window)
          return over && newest > 0
            ? { granted: share.wanted, left: share.limit - share.wanted }
            : (sound.reserve?.(share) ?? { granted: 0, left: 0 })
        },
      }
    },
  ],
  'adds at most 65,535 keys of a change, the maximum number of parameters of a statement': [
    'scale',
    (sound) => ({
      commit: (batch) =>
        sound.commit(batch.map((one) => ('members' in one ? { ...one, members: one.members.slice(0, 65_535) } : one))),
    }),
  ],
  'returns results after it was closed': ['lifecycle', () => ({ countKeys: async () => 0 })],
}

/** Makes a memory storage that has the defect. */
export function withDefect(defect: Defect): Storage {
  const sound = createMemoryStorage()
  return {
    ...sound,
    account(name) {
      const account = sound.account(name)
      return { ...account, ...defect(account) }
    },
  }
}

function trimmingMore(change: Change): Change {
  return change.do === 'trim' ? { ...change, before: change.before + 1 } : change
}

function withdrawingNothing(change: Change): Change {
  return change.do === 'withdraw' ? { ...change, ids: [] } : change
}

function inOwnLanes(change: Change): Change {
  if (change.do !== 'enqueue') return change
  return { ...change, tasks: change.tasks.map((task) => ({ ...task, lane: task.id })) }
}

function unfenced(change: Change): Change {
  return change.do === 'finish' ? { do: 'finish', queue: change.queue, task: change.task } : change
}

/** Returns the same result to every second caller as to the caller before it. */
function lastTakenAgain(sound: AccountStorage): Partial<AccountStorage> {
  let last: ReturnType<AccountStorage['take']> | undefined
  return {
    take(query) {
      const answer = last ?? sound.take(query)
      last = last ? undefined : answer
      return answer
    },
  }
}

function changed<T extends object>(found: T | undefined, difference: Partial<T>): T | undefined {
  return found && { ...found, ...difference }
}

function membersSorted(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the same unfrozen copy of a document on each read. */
function sharedAndWritable(sound: AccountStorage): Partial<AccountStorage> {
  const copies = new Map<string, Awaited<ReturnType<AccountStorage['get']>>>()
  return {
    async get(id) {
      if (!copies.has(id.key)) copies.set(id.key, structuredClone(await sound.get(id)))
      return copies.get(id.key)
    },
  }
}

async function oneByOne(sound: AccountStorage, batch: readonly Change[]): Promise<CommitOutcome> {
  const counts: number[] = []
  for (const [change, one] of batch.entries()) {
    const result = await sound.commit([one])
    if (result.outcome !== 'committed') return { outcome: result.outcome, change }
    counts.push(result.counts[0] ?? 0)
  }
  return { outcome: 'committed', counts }
}
