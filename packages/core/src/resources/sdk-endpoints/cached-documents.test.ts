import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../operation/context.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'
import { CachedDocuments } from './cached-documents.ts'

const unreadable = new Error('the storage cannot be read')

/** A storage whose reads the test can block, and make fail. */
function heldReads(storage: AccountStorage) {
  const waiting: (() => void)[] = []
  const state = { isHeld: false, isFailing: false, lists: 0 }
  const account: AccountStorage = {
    ...storage,
    async list(query) {
      state.lists++
      const page = await storage.list(query)
      if (state.isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      if (state.isFailing) throw unreadable
      return page
    },
  }
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  /** Resolves when a number of lists have been read but not yet returned. */
  const arrived = async (count: number) => {
    while (waiting.length < count) await nextTurn()
  }
  return { account, state, release, arrived }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await nextTurn()
}

const insert = (key: string, collection = 'boat', scope = 'proj/web'): Change => ({
  do: 'insert',
  id: { collection, scope, key },
  body: { key },
  fields: {},
})

/** Makes a cache of the boats and harbors of two projects, in a process that shares its storage with others. */
async function setUp({ withoutWatch = false } = {}) {
  const shared = createMemoryStorage()
  const lagging = laggingStorage(shared)
  const subscriptions = { started: 0, stopped: 0 }
  let reportAnything = () => {}
  const { watch, ...unwatched } = lagging.account('main')
  const watched: AccountStorage['watch'] = (onChange) => {
    subscriptions.started++
    reportAnything = () => onChange('anything')
    const subscription = watch?.(onChange)
    const stop = async () => {
      subscriptions.stopped++
      await subscription?.stop()
    }
    // `live` of a subscription that has ended may still return true.
    return { live: () => lagging.connected, stop }
  }
  const delayedReads = heldReads(withoutWatch ? unwatched : { ...unwatched, watch: watched })
  const log: LogEntry[] = []
  const needs = { isNeeded: false }
  const seen: string[] = []
  const onRead = { fails: false }
  const reportLoss = () => reportAnything()
  const commit = (...batch: Change[]) => shared.account('main').commit(batch)
  await commit(insert('ada'), insert('south', 'harbor', ''), insert('wind', 'weather'))
  const cache = new CachedDocuments(
    delayedReads.account,
    { log: (entry) => log.push(entry) },
    {
      collections: ['boat', 'harbor'],
      scopes: /^[^:]*$/,
      isNeeded: () => needs.isNeeded,
      onRead: async ([boats = [], harbors = []]) => {
        await nextTurn()
        if (onRead.fails) throw unreadable
        seen.push([...boats, ...harbors].map(({ key }) => key).join(' '))
      },
      failureEvent: 'boats-not-read',
    },
  )
  return { ...delayedReads, own: lagging, subscriptions, cache, seen, log, needs, onRead, commit, reportLoss }
}

describe('cached documents', () => {
  it('are read at the first use, once for all uses until a change', async () => {
    const { cache, seen, state } = await setUp()
    cache.check()
    await settled()
    expect([cache.isReported(), state.lists]).toEqual([false, 0])
    await Promise.all([cache.catchUp(), cache.catchUp()])
    await cache.catchUp()
    expect(seen).toEqual(['ada south'])
    expect([cache.isReported(), state.lists]).toEqual([true, 2])
  })

  it.each<[string, Change]>([
    ['a document of one', insert('ida')],
    ['several documents of one', { do: 'discard-all', collection: 'boat', scope: 'proj/web', where: [] }],
    ['everything under a scope', { do: 'clear', scope: 'proj/web' }],
  ])('are read again after a change of %s', async (_, change) => {
    const { cache, seen, commit } = await setUp()
    await cache.catchUp()
    await commit(change)
    expect(seen).toHaveLength(1)
    await cache.catchUp()
    expect(seen).toEqual(['ada south', change.do === 'insert' ? 'ada ida south' : 'south'])
  })

  it.each<[string, Change]>([
    ['a document of another collection', insert('rain', 'weather')],
    ['several of them', { do: 'discard-all', collection: 'weather', scope: 'proj/web', where: [] }],
    ['everything under a scope below', { do: 'clear', scope: 'proj/web:env/test' }],
    ['a set of keys', { do: 'add-keys', set: { name: 'boat', scope: 'proj/web' }, keys: ['ada'] }],
  ])('are not read again after a change of %s', async (_, change) => {
    const { cache, state, commit } = await setUp()
    await cache.catchUp()
    await commit(change)
    await cache.catchUp()
    expect(state.lists).toBe(2)
  })

  it('are read again when only one of several changes concerns them', async () => {
    const { cache, seen, commit } = await setUp()
    await cache.catchUp()
    await commit(insert('rain', 'weather'), insert('ida'))
    await cache.catchUp()
    expect(seen.at(-1)).toBe('ada ida south')
  })

  it('are read again after a change while they are needed, even if no caller uses them', async () => {
    const { cache, seen, commit, needs } = await setUp()
    await cache.catchUp()
    needs.isNeeded = true
    await commit(insert('ida'))
    await settled()
    expect(seen).toEqual(['ada south', 'ada ida south'])
  })

  it('are read by a check when a caller began to need them after a change', async () => {
    const { cache, seen, commit, needs } = await setUp()
    await cache.catchUp()
    await commit(insert('ida'))
    needs.isNeeded = true
    await settled()
    expect(seen).toHaveLength(1)
    cache.check()
    await settled()
    cache.check()
    await settled()
    expect(seen).toEqual(['ada south', 'ada ida south'])
  })

  it('are read again after they were marked as outdated', async () => {
    const { cache, seen } = await setUp()
    await cache.catchUp()
    cache.invalidate()
    await settled()
    expect(seen).toHaveLength(1)
    await cache.catchUp()
    expect(seen).toHaveLength(2)
  })
})

describe('a change during a read of cached documents', () => {
  it.each([
    ['the first read', false],
    ['a later read', true],
  ])('causes another read before the waiting callers continue: %s', async (_, later) => {
    const { cache, seen, commit, state, release, arrived } = await setUp()
    if (later) {
      await cache.catchUp()
      cache.invalidate()
      seen.splice(0)
    }
    state.isHeld = true
    const finished: string[] = []
    const first = cache.catchUp().then(() => finished.push('first'))
    await arrived(2)
    await commit(insert('ida'))
    const second = cache.catchUp().then(() => finished.push('second'))
    release()
    await arrived(2)
    expect([seen, finished]).toEqual([['ada south'], []])
    release()
    await Promise.all([first, second])
    expect([seen, finished.length]).toEqual([['ada south', 'ada ida south'], 2])
  })

  it('causes a single further read, however many changes there are', async () => {
    const { cache, seen, commit, state, needs, release, arrived } = await setUp()
    needs.isNeeded = true
    state.isHeld = true
    const reading = cache.catchUp()
    await arrived(2)
    for (const key of ['ben', 'cleo', 'dan']) await commit(insert(key))
    state.isHeld = false
    release()
    await reading
    await settled()
    expect([seen, state.lists]).toEqual([['ada south', 'ada ben cleo dan south'], 4])
  })

  it('is read when it is reported after the read has ended, but before the result was processed', async () => {
    const { cache, seen, commit, state, release, arrived } = await setUp()
    state.isHeld = true
    const reading = cache.catchUp()
    await arrived(2)
    state.isHeld = false
    release()
    await Promise.resolve()
    await commit(insert('ida'))
    await reading
    expect(seen).toEqual(['ada south', 'ada ida south'])
  })

  it('makes a caller wait for the read that it has started in the background', async () => {
    const { cache, seen, commit, state, needs, release, arrived } = await setUp()
    await cache.catchUp()
    needs.isNeeded = true
    state.isHeld = true
    await commit(insert('ida'))
    await arrived(2)
    let isDone = false
    const use = cache.catchUp().then(() => {
      isDone = true
    })
    await settled()
    expect(isDone).toBe(false)
    release()
    await use
    expect([seen.at(-1), state.lists]).toEqual(['ada ida south', 4])
  })
})

describe('cached documents without reports of changes', () => {
  it('are read at each use of a storage that cannot be watched', async () => {
    const { cache, seen, commit } = await setUp({ withoutWatch: true })
    await cache.catchUp()
    await commit(insert('ida'))
    await cache.catchUp()
    await cache.catchUp()
    expect(seen).toEqual(['ada south', 'ada ida south', 'ada ida south'])
    expect(cache.isReported()).toBe(false)
    await cache.stop()
  })

  it('are read at each use while the subscription is lost, and from memory when it is back', async () => {
    const { cache, seen, commit, own } = await setUp()
    await cache.catchUp()
    own.delay()
    own.connected = false
    await commit(insert('ida'))
    expect(cache.isReported()).toBe(false)
    await cache.catchUp()
    await cache.catchUp()
    expect(seen.slice(1)).toEqual(['ada ida south', 'ada ida south'])
    own.connected = true
    own.arrive()
    await cache.catchUp()
    await cache.catchUp()
    expect(seen).toHaveLength(4)
  })

  it('are read again when the storage may have missed a change', async () => {
    const { cache, seen, reportLoss } = await setUp()
    await cache.catchUp()
    reportLoss()
    await cache.catchUp()
    expect(seen).toHaveLength(2)
  })

  it('are not read by a check after a single read', async () => {
    const { cache, state, needs } = await setUp({ withoutWatch: true })
    needs.isNeeded = true
    await cache.catchUp()
    cache.check()
    await settled()
    expect(state.lists).toBe(2)
  })

  it('are read again when the subscription is lost during a read', async () => {
    const { cache, seen, commit, own, state, release, arrived } = await setUp()
    state.isHeld = true
    const reading = cache.catchUp()
    await arrived(2)
    own.delay()
    own.connected = false
    await commit(insert('ida'))
    state.isHeld = false
    const later = cache.catchUp()
    release()
    await Promise.all([reading, later])
    expect(seen.at(-1)).toBe('ada ida south')
  })
})

describe('a read of cached documents that fails', () => {
  it.each([
    ['the storage', 'storage'],
    ['the receiver', 'receiver'],
  ])('rejects the use, and is repeated at the next one: %s', async (_, part) => {
    const { cache, seen, state, onRead, log } = await setUp()
    state.isFailing = part === 'storage'
    onRead.fails = part === 'receiver'
    await expect(cache.catchUp()).rejects.toBe(unreadable)
    await expect(cache.catchUp()).rejects.toBe(unreadable)
    state.isFailing = onRead.fails = false
    await cache.catchUp()
    expect([seen, log]).toEqual([['ada south'], []])
  })

  it('is logged when nothing waits for it, and repeated by a check', async () => {
    const { cache, seen, commit, state, needs, log } = await setUp()
    await cache.catchUp()
    needs.isNeeded = true
    state.isFailing = true
    await commit(insert('ida'))
    await settled()
    expect(log).toEqual([{ level: 'error', event: 'boats-not-read', error: unreadable }])
    state.isFailing = false
    cache.check()
    await settled()
    expect(seen.at(-1)).toBe('ada ida south')
  })
})

describe('cached documents after `stop`', () => {
  it('finish a pending read, and report no later change', async () => {
    const { cache, seen, commit, state, needs, release, arrived } = await setUp()
    needs.isNeeded = true
    state.isHeld = true
    const reading = cache.catchUp()
    await arrived(2)
    await cache.stop()
    state.isHeld = false
    release()
    await reading
    await commit(insert('ida'))
    await settled()
    expect([seen, state.lists]).toEqual([['ada south'], 2])
  })

  it('read a change that was reported during the pending read', async () => {
    const { cache, seen, commit, state, release, arrived } = await setUp()
    state.isHeld = true
    const reading = cache.catchUp()
    await arrived(2)
    await commit(insert('ida'))
    await cache.stop()
    state.isHeld = false
    release()
    await reading
    expect(seen.at(-1)).toBe('ada ida south')
  })

  it('do not watch the storage again, and are read at each use', async () => {
    const { cache, state, subscriptions } = await setUp()
    await cache.catchUp()
    await cache.catchUp()
    expect(subscriptions).toEqual({ started: 1, stopped: 0 })
    await cache.stop()
    await cache.catchUp()
    await cache.catchUp()
    expect([state.lists, cache.isReported()]).toEqual([6, false])
    expect(subscriptions).toEqual({ started: 1, stopped: 1 })
  })
})
