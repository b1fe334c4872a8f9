import type { AccountStorage, Change, CommitOutcome, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'

type Defect = (sound: AccountStorage) => Partial<AccountStorage>

/** Storages with one defect each, and the group of cases that must notice it. */
export const defects: Readonly<Record<string, readonly [group: string, Defect]>> = {
  'forgets versions': ['documents', (sound) => ({ get: async (id) => changed(await sound.get(id), { version: 1 }) })],
  'hands out what can be written to': ['documents', sharedAndWritable],
  'sorts the members of a body': [
    'documents',
    (sound) => ({
      get: async (id) => changed(await sound.get(id), { body: membersSorted((await sound.get(id))?.body) }),
    }),
  ],
  'leaves gaps out of getMany': [
    'documents',
    (sound) => ({ getMany: async (ids) => (await sound.getMany(ids)).filter((document) => document !== undefined) }),
  ],
  'takes every scope for a prefix': [
    'scopes',
    (sound) => ({
      list: async (query) => {
        const { items } = await sound.list({ ...query, scope: '', deep: true })
        return { items: items.filter((item) => item.scope.startsWith(query.scope)), total: undefined }
      },
    }),
  ],
  'clears the scope alone': [
    'scopes',
    (sound) => ({
      commit: async (batch) =>
        sound.commit(
          batch.map((change): Change => (change.do === 'clear' ? { ...change, scope: `${change.scope}:` } : change)),
        ),
    }),
  ],
  'answers a turn as its first question': [
    'questions of one turn',
    (sound) => {
      let first: ReturnType<AccountStorage['newest']> | undefined
      return { newest: (query) => (first ??= sound.newest(query).finally(() => (first = undefined))) }
    },
  ],
  'discards all without looking at conditions': [
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
  'counts the page and not the matches': [
    'lists',
    (sound) => ({
      list: async (query) => {
        const { items } = await sound.list(query)
        return { items, total: query.count ? items.length : undefined }
      },
    }),
  ],
  'drops the negations': [
    'conditions',
    (sound) => ({
      list: (query) => sound.list({ ...query, where: query.where?.filter(({ op }) => op !== 'not') }),
    }),
  ],
  'cuts offsets off': ['random lists', (sound) => ({ list: (query) => sound.list({ ...query, offset: 0 }) })],
  'skips members where a page ends': [
    'members',
    (sound) => ({ pageMembers: async (set, page) => (await sound.pageMembers(set, page)).slice(0, page.limit - 1) }),
  ],
  'leaves behind what it moves': [
    'members',
    (sound) => ({
      commit: async (batch) => {
        const result = await sound.commit(batch)
        const [move] = batch
        if (batch.length === 1 && move?.do === 'move-members') {
          const members = await sound.pageMembers(move.into, { limit: 1 })
          await sound.commit([{ do: 'add-members', set: move.from, members }])
        }
        return result
      },
    }),
  ],
  'finds members in every set': ['members', () => ({ findMembers: async (_, members) => [...members] })],
  'counts without looking at the other set': [
    'members',
    (sound) => ({ countMembers: (set) => sound.countMembers(set) }),
  ],
  'trims one sample too many': ['samples', (sound) => ({ commit: (batch) => sound.commit(batch.map(trimmingMore)) })],
  'withdraws nothing': ['samples', (sound) => ({ commit: (batch) => sound.commit(batch.map(withdrawingNothing)) })],
  'goes back to the newest': ['samples', (sound) => ({ newest: ({ since, ...query }) => sound.newest(query) })],
  'takes what is not due yet': [
    'tasks',
    (sound) => ({ take: (query) => sound.take({ ...query, now: query.now + 1 }) }),
  ],
  'takes without leases': ['tasks', (sound) => ({ take: (query) => sound.take({ ...query, until: 0 }) })],
  'takes more than asked for': ['tasks', (sound) => ({ take: (query) => sound.take({ ...query, limit: 100 }) })],
  'has no lanes': ['tasks', (sound) => ({ commit: (batch) => sound.commit(batch.map(inOwnLanes)) })],
  'lets anybody finish a task': ['tasks', (sound) => ({ commit: (batch) => sound.commit(batch.map(unfenced)) })],
  'lists tasks from the start': [
    'tasks',
    (sound) => ({ listTasks: (queue, { limit }) => sound.listTasks(queue, { limit }) }),
  ],
  'takes the shortest due first': [
    'random tasks',
    (sound) => ({ take: async (query) => (await sound.take({ ...query, limit: 100 })).slice(-query.limit) }),
  ],
  'forgets how often a task was taken': [
    'task races',
    (sound) => ({ take: async (query) => (await sound.take(query)).map((one) => ({ ...one, takes: 1 })) }),
  ],
  'hands one task to two takers': ['task races', lastTakenAgain],
  'closes ranges': ['samples', (sound) => ({ scan: (query) => sound.scan({ ...query, to: query.to + 1 }) })],
  'applies changes one by one': ['commits', (sound) => ({ commit: (batch) => oneByOne(sound, batch) })],
  'lets the last one write who ensures': [
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
  'pauses between changes': ['isolation', (sound) => ({ commit: (batch) => oneByOne(sound, batch) })],
  'ignores what a commit expects': [
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
  'grants what somebody else has': [
    'shares',
    (sound) => ({
      // Looks first and takes later: whoever comes between is not seen.
      reserve: async (share) => {
        const { left } = (await sound.reserve?.({ ...share, wanted: 0 })) ?? { left: 0 }
        await sound.reserve?.(share)
        return { granted: Math.min(left, share.wanted), left: Math.max(0, left - share.wanted) }
      },
    }),
  ],
  'sweeps every window but the newest': [
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
  'takes as many members at once as a statement has parameters': [
    'scale',
    (sound) => ({
      commit: (batch) =>
        sound.commit(batch.map((one) => ('members' in one ? { ...one, members: one.members.slice(0, 65_535) } : one))),
    }),
  ],
  'answers when closed': ['lifecycle', () => ({ countMembers: async () => 0 })],
}

/** A storage in memory that has the defect. */
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

/** Answers takers that come together alike. */
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

/** Hands out one copy of each answer, the same one each time, open to changes. */
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
