import { LRUCache } from 'lru-cache'
import { bigExcluded, bigIncluded } from '../../models/segments/segment.ts'
import type { Host } from '../../operation/context.ts'
import {
  type BigSegmentMembership,
  type BigSegments,
  bigSegmentName,
  type SegmentData,
} from '../../rules/evaluation/index.ts'
import type { Reader } from '../../storage/reader.ts'
import type { EnvironmentKeys } from './environment-content.ts'

/** Caches which big segments list a context. */
export interface BigSegmentMemory {
  /**
   * Looks up the keys of a context in all big segments of the environment.
   *
   * @param revision revision of the memberships before the look-up.
   */
  lookUp(contextKeys: readonly string[], segments: Iterable<SegmentData>, revision: number): Promise<void>
  /** @param revision current revision of the memberships: entries of earlier revisions are stale. */
  at(revision: number): BigSegments
}

/** Maximum number of cached contexts. The least recently used are removed first. */
const mostContexts = 10_000

interface Entry {
  readonly lists: ReadonlyMap<string, boolean>
  readonly revision: number
  readonly failed: boolean
}

/** Makes an empty cache. */
export function bigSegmentMemory(tx: Reader, host: Host, keys: EnvironmentKeys): BigSegmentMemory {
  const entries = new LRUCache<string, Entry>({ maxSize: mostContexts, sizeCalculation: () => 1 })

  async function listsOf(contextKey: string, segments: Iterable<SegmentData>): Promise<Map<string, boolean>> {
    const lists = new Map<string, boolean>()
    await Promise.all(
      Array.from(segments, async (segment) => {
        const place = { ...keys, segmentKey: segment.key }
        const [included, excluded] = await Promise.all([
          tx.hasKey(bigIncluded, place, contextKey),
          tx.hasKey(bigExcluded, place, contextKey),
        ])
        if (included || excluded) lists.set(bigSegmentName(segment), included)
      }),
    )
    return lists
  }

  async function lookUpOne(contextKey: string, segments: Iterable<SegmentData>, revision: number): Promise<void> {
    try {
      entries.set(contextKey, { lists: await listsOf(contextKey, segments), revision, failed: false })
    } catch (error) {
      host.log({ level: 'error', event: 'big_segments_not_read', error })
      const known = entries.peek(contextKey)
      // A cached entry is better than none, and stale from now on.
      entries.set(contextKey, known ? { ...known, revision: -1 } : { lists: new Map(), revision, failed: true })
    }
  }

  return {
    async lookUp(contextKeys, segments, revision) {
      const list = [...segments]
      if (list.length > 0) await Promise.all(contextKeys.map((key) => lookUpOne(key, list, revision)))
    },
    at:
      (revision) =>
      (contextKey): BigSegmentMembership | undefined => {
        const entry = entries.get(contextKey)
        if (!entry) return undefined
        const status = entry.failed ? 'STORE_ERROR' : entry.revision === revision ? 'HEALTHY' : 'STALE'
        return { status, lists: entry.lists }
      },
  }
}
