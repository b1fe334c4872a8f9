import { LRUCache } from 'lru-cache'
import type { Freshness } from './freshness.ts'
import type { Trail } from './trail.ts'

/** How often something was remembered, and how much is. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  /** In the unit that the cache is bounded by. */
  readonly size: number
}

/** Values that are dropped as soon as anything that they were made from is changed. */
export interface FreshCache<V> {
  /** What all values may take together; 0 where none are remembered. */
  readonly bound: number
  /**
   * What is remembered; undefined also while storage cannot tell of changes.
   *
   * @param fits whether a value is of use to whoever asks. Default: any.
   */
  get(key: string, fits?: (value: V) => boolean): V | undefined
  /**
   * Remembers a value, unless what it was made from has been changed already.
   *
   * @param size in the unit that the cache is bounded by.
   * @param trail what it was made from; it ends when the value goes, at once if it is not kept.
   */
  keep(key: string, value: V, size: number, trail: Trail): void
  figures(): CacheFigures
}

interface Entry<V> {
  readonly value: V
  readonly trail: Trail
}

/**
 * Makes an empty cache; the value that was asked for longest ago goes first.
 *
 * @param bounds `size` of all values, 0 for none at all, and `largest` of one. Default: as large as all.
 */
export function freshCache<V>(
  fresh: Pick<Freshness, 'live'>,
  { size, largest = size }: { readonly size: number; readonly largest?: number },
): FreshCache<V> {
  // Bounded by size: with `max` all room is taken at once, and an engine that is made for one test pays for it.
  const room = { maxSize: size, dispose: ({ trail }: Entry<V>) => trail.end() }
  const entries = size > 0 ? new LRUCache<string, Entry<V>>(room) : undefined
  let hits = 0
  let misses = 0
  return {
    bound: size,
    get(key, fits) {
      const value = fresh.live() ? entries?.get(key)?.value : undefined
      if (value === undefined || fits?.(value) === false) {
        misses++
        return undefined
      }
      hits++
      return value
    },
    keep(key, value, bytes, trail) {
      if (!entries || trail.spoilt || bytes > largest) return trail.end()
      const entry = { value, trail }
      entries.set(key, entry, { size: Math.max(1, bytes) })
      // Another may have taken its place meanwhile.
      trail.onSpoilt(() => entries.peek(key) === entry && entries.delete(key))
    },
    figures: () => ({ hits, misses, entries: entries?.size ?? 0, size: entries?.calculatedSize ?? 0 }),
  }
}
