import type { AccountStorage } from '../../storage/port.ts'
import { type MomentInput, type MomentName, parseMoment, refuseMoment } from './moment.ts'
import type { PastReads, PastReadsAt } from './past-reads.ts'

/** The storage of an account as it was. */
export interface PastState {
  /** Integer milliseconds, UTC. */
  readonly time: number
  readonly storage: AccountStorage
}

/**
 * Makes the function that returns an account as it was at a moment: a part of the design of an engine.
 *
 * @throws ApiError `invalid_request` naming the moment, by the function, when it is not a moment or in the future.
 */
export type PastStorages = (stored: AccountStorage) => (moment: MomentInput, now: number, name: MomentName) => PastState

/**
 * Makes storages of the past that undo the changes which the change log lists. The code of their reads knows all
 * collections, so it is imported with the first read.
 *
 * @param load imports `pastReadsAt`.
 */
export function pastStoragesOf(load: () => Promise<(stored: AccountStorage) => PastReadsAt>): PastStorages {
  return (stored) => {
    let loading: Promise<PastReadsAt> | undefined
    const loaded = () => {
      loading ??= load().then((readsOf) => readsOf(stored))
      // After a failed import, the next read imports again.
      loading.catch(() => {
        loading = undefined
      })
      return loading
    }
    return (input, now, name) => {
      const moment = parseMoment(input, now, name)
      return { time: moment.time, storage: pastStorage(stored, async () => (await loaded())(moment, name), name) }
    }
  }
}

/**
 * Returns the storage of an account as it was at a moment. Its tasks are the current ones.
 *
 * @param open returns the reads of that moment.
 */
function pastStorage(stored: AccountStorage, open: () => Promise<PastReads>, name: MomentName): AccountStorage {
  return {
    get: async (id) => (await open()).get(id),
    getMany: async (ids) => (await open()).getMany(ids),
    list: async (query) => (await open()).list(query),
    hasKey: async (set, key) => (await open()).hasKey(set, key),
    findKeys: async (set, keys) => (await open()).findKeys(set, keys),
    countKeys: async (set, without) => (await open()).countKeys(set, without),
    pageKeys: async (set, page) => (await open()).pageKeys(set, page),
    scan: async (query) => (await open()).scan(query),
    newest: async (query) => (await open()).newest(query),
    async *dump() {
      yield* (await open()).dump()
    },
    ...(stored.findSamples && { findSamples: stored.findSamples.bind(stored) }),
    listTasks: (queue, page) => stored.listTasks(queue, page),
    take: async () => [],
    commit: () => refuseMoment(name, 'must not be present when the call changes something'),
    // A past state does not change, so its readers may cache it.
    watch: () => ({ live: () => true, stop: async () => {} }),
  }
}
