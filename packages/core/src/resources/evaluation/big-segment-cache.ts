import { LRUCache } from 'lru-cache'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { bigExcluded, bigIncluded } from '../../models/segments/segment.ts'
import type { Host } from '../../operation/context.ts'
import {
  type BigSegmentLookup,
  type BigSegmentMembership,
  bigSegmentName,
  type SegmentData,
} from '../../rules/evaluation/index.ts'
import type { Reader } from '../../storage/reader.ts'

/** Caches which big segments list a context. */
export interface BigSegmentCache {
  /**
   * Looks up the keys of a context in all big segments of the environment.
   *
   * @param revision revision of the memberships before the look-up.
   */
  lookUp(contextKeys: readonly string[], segments: Iterable<SegmentData>, revision: number): Promise<void>
  /**
   * Returns a function that looks up big segments in the cache.
   *
   * @param revision current revision of the memberships; entries of earlier revisions are not used.
   */
  lookupAt(revision: number): BigSegmentLookup
}

/** Maximum number of cached contexts. The least recently used are removed first. */
const maxContexts = 10_000

interface Entry {
  readonly lists: ReadonlyMap<string, boolean>
  readonly revision: number
  readonly failed: boolean
}

/** Makes an empty cache. */
export function bigSegmentCache(tx: Reader, host: Host, keys: EnvironmentKeys): BigSegmentCache {
  const entries = new LRUCache<string, Entry>({ maxSize: maxContexts, sizeCalculation: () => 1 })

  async function listsOf(contextKey: string, segments: Iterable<SegmentData>): Promise<Map<string, boolean>> {
    const lists = new Map<string, boolean>()
    await Promise.all(
      Array.from(segments, async (segment) => {
        const segmentKeys = { ...keys, segmentKey: segment.key }
        const [included, excluded] = await Promise.all([
          tx.hasKey(bigIncluded, segmentKeys, contextKey),
          tx.hasKey(bigExcluded, segmentKeys, contextKey),
        ])
        if (included || excluded) lists.set(bigSegmentName(segment), included)
      }),
    )
    return lists
  }

  async function lookUpContext(contextKey: string, segments: Iterable<SegmentData>, revision: number): Promise<void> {
    try {
      entries.set(contextKey, { lists: await listsOf(contextKey, segments), revision, failed: false })
    } catch (error) {
      host.log({ level: 'error', event: 'big_segments_not_read', error })
      const cached = entries.peek(contextKey)
      // When the storage fails, the cached entry is still used, and is stale from now on.
      entries.set(contextKey, cached ? { ...cached, revision: -1 } : { lists: new Map(), revision, failed: true })
    }
  }

  return {
    async lookUp(contextKeys, segments, revision) {
      const list = [...segments]
      if (list.length > 0) await Promise.all(contextKeys.map((key) => lookUpContext(key, list, revision)))
    },
    lookupAt:
      (revision) =>
      (contextKey): BigSegmentMembership | undefined => {
        const entry = entries.get(contextKey)
        if (!entry) return undefined
        const status = entry.failed ? 'STORE_ERROR' : entry.revision === revision ? 'HEALTHY' : 'STALE'
        return { status, lists: entry.lists }
      },
  }
}
