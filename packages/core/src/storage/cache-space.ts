import { LRUCache } from 'lru-cache'
import type { DependencyTracker } from './dependency-index.ts'

/** A value of a cache, with what must be done when it is dropped. */
export interface CacheEntry {
  readonly value: unknown
  readonly tracker: DependencyTracker
  /** In the unit of the capacity. */
  readonly size: number
  /** Called when the entry is no longer in the space. */
  onDropped(size: number): void
}

/** The values of one cache, or of several ones that have a common limit. Evicts the least recently used value. */
export class CacheSpace {
  /** Maximum size of all values together; 0 when nothing is cached. */
  readonly capacity: number
  readonly #shared: boolean
  #entries: LRUCache<string, CacheEntry> | undefined
  #cacheCount = 0

  /** @param shared true when several caches, whose keys may be equal, use the space. */
  constructor(capacity: number, shared = false) {
    this.capacity = capacity
    this.#shared = shared
  }

  /** Returns the beginning of the keys of one more cache. */
  nextPrefix(): string {
    return this.#shared ? `${++this.#cacheCount} ` : ''
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries?.get(key)
  }

  set(key: string, entry: CacheEntry): void {
    this.#entries ??= newEntries(this.capacity)
    this.#entries.set(key, entry, { size: entry.size })
  }

  /** Removes an entry, unless another one has replaced it. */
  remove(key: string, entry: CacheEntry): void {
    if (this.#entries?.peek(key) === entry) this.#entries.delete(key)
  }
}

// Bounded by size: with `max` the cache would allocate its full capacity at once, which slows down an engine that is
// created for one test. Made with the first value, because many engines of one process are idle.
function newEntries(capacity: number): LRUCache<string, CacheEntry> {
  return new LRUCache<string, CacheEntry>({
    maxSize: capacity,
    dispose(entry) {
      entry.tracker.stop()
      entry.onDropped(entry.size)
    },
  })
}
