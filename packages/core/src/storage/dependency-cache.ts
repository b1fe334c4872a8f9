import { LRUCache } from 'lru-cache'
import {
  affectedBy,
  type CacheTracker,
  type Dependency,
  DependencyIndex,
  type DependencyTracker,
  type Dependent,
  documentDependency,
  keySetDependency,
  listDependency,
  samplesDependency,
} from './dependency-index.ts'
import type { AccountStorage, StorageWatch, TouchedRecords } from './port.ts'
import type { StorageReads } from './reads.ts'

/** Receives the changes that every process commits to a storage, and invalidates the values that depend on them. */
export class Invalidator {
  readonly #storage: Pick<AccountStorage, 'watch'>
  readonly #index = new DependencyIndex()
  #watching: StorageWatch | undefined
  #stopped = false

  /**
   * @param storage the storage, which is watched from the first read of a cache on. Without the function `watch`,
   *   nothing is cached.
   */
  constructor(storage: Pick<AccountStorage, 'watch'>) {
    this.#storage = storage
  }

  /** Returns true when cached values may be used now, and false while the storage cannot report changes. */
  isLive(): boolean {
    if (this.#stopped || !this.#storage.watch) return false
    this.#watching ??= this.#storage.watch((touched) => this.#receive(touched))
    return this.#watching.live()
  }

  /**
   * Starts a tracker; returns undefined where nothing may be cached.
   *
   * @param ownChanges number of changes that do not make the tracker stale. The storage reports a process's own write
   *   before the commit resolves, which counts as one; every further change makes the tracker stale. Default 0.
   */
  track(ownChanges = 0): DependencyTracker | undefined {
    return this.isLive() ? new IndexedTracker(this.#index, ownChanges) : undefined
  }

  /**
   * Notifies a dependent of changes until the returned function is called; returns undefined where nothing may be
   * cached.
   */
  notify(dependent: Dependent, dependency: Dependency): (() => void) | undefined {
    if (!this.isLive()) return undefined
    this.#index.add(dependency, dependent)
    return () => this.#index.remove(dependency, dependent)
  }

  /** Makes every tracker stale, and so empties every cache. */
  invalidateAll(): void {
    this.#index.invalidateAll()
  }

  /** Stops watching the storage, and disables every cache. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#index.invalidateAll()
    await this.#watching?.stop()
  }

  #receive(touched: readonly TouchedRecords[] | 'anything'): void {
    // While nothing is cached, a batch of thousands of documents need not be read through.
    if (this.#index.isEmpty()) return
    if (touched === 'anything') this.#index.invalidateAll()
    else for (const record of touched) this.#invalidate(record)
  }

  #invalidate(touched: TouchedRecords): void {
    if (touched.kind === 'collection' || touched.kind === 'scope') this.#index.invalidateWithin(touched)
    else {
      const changed = touched.kind === 'document' ? touched.id : undefined
      for (const dependency of affectedBy(touched)) this.#index.invalidate(dependency, changed)
    }
  }
}

/** A class, because each cached value has one: closures would take more memory than most of those values. */
class IndexedTracker implements DependencyTracker {
  stale = false
  readonly #index: DependencyIndex
  #ownChanges: number
  #stopped = false
  /** Most values have one dependency; then no set is allocated. */
  #dependencies: Dependency | Set<Dependency> | undefined
  #drop: (() => void) | undefined

  constructor(index: DependencyIndex, ownChanges: number) {
    this.#index = index
    this.#ownChanges = ownChanges
  }

  add(dependency: Dependency): void {
    if (this.#stopped || this.#dependencies === dependency) return
    if (this.#dependencies === undefined) this.#dependencies = dependency
    else if (typeof this.#dependencies === 'string') this.#dependencies = new Set([this.#dependencies, dependency])
    else if (this.#dependencies.has(dependency)) return
    else this.#dependencies.add(dependency)
    this.#index.add(dependency, this)
  }

  onStale(drop: () => void): void {
    this.#drop = drop
  }

  invalidate(): void {
    if (this.#ownChanges-- > 0) return
    this.stale = true
    this.stop()
    this.#drop?.()
    this.#drop = undefined
  }

  stop(): void {
    this.#stopped = true
    if (typeof this.#dependencies === 'string') this.#index.remove(this.#dependencies, this)
    else if (this.#dependencies) for (const dependency of this.#dependencies) this.#index.remove(dependency, this)
    this.#dependencies = undefined
  }
}

/** Number of hits and misses of a cache, and its size. */
export interface CacheStats {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  /** In the unit of the cache's capacity. */
  readonly size: number
}

/** Returns the sums of the numbers of two caches. */
export function addStats(a: CacheStats, b: CacheStats): CacheStats {
  return {
    hits: a.hits + b.hits,
    misses: a.misses + b.misses,
    entries: a.entries + b.entries,
    size: a.size + b.size,
  }
}

/** A cache that drops a value as soon as a dependency of the value changes. */
export class DependencyCache<V> {
  /** Maximum size of all values together; 0 when nothing is cached. */
  readonly capacity: number
  readonly #invalidator: Pick<Invalidator, 'isLive'>
  readonly #maxValueSize: number
  readonly #space: CacheSpace
  readonly #prefix: string
  #hits = 0
  #misses = 0
  #count = 0
  #size = 0

  /**
   * Creates an empty cache that evicts the least recently used value.
   *
   * @param options `capacity`: the size of all values together, 0 for none, or a space that several caches share.
   *   `maxValueShare`: the share of the space that one value may have (default 1).
   */
  constructor(
    invalidator: Pick<Invalidator, 'isLive'>,
    { capacity, maxValueShare = 1 }: { readonly capacity: number | CacheSpace; readonly maxValueShare?: number },
  ) {
    this.#space = typeof capacity === 'number' ? new CacheSpace(capacity) : capacity
    this.capacity = this.#space.capacity
    this.#prefix = this.#space.nextPrefix()
    this.#invalidator = invalidator
    this.#maxValueSize = this.capacity * maxValueShare
  }

  /**
   * Returns the cached value; undefined also while the storage cannot report changes.
   *
   * @param accepts returns true when the caller can use a value. Default: every value.
   */
  get(key: string, accepts?: (value: V) => boolean): V | undefined {
    const entry = this.#invalidator.isLive() ? this.#space.get(this.#prefix + key) : undefined
    const value = entry?.value as V | undefined
    if (value === undefined || accepts?.(value) === false) {
      this.#misses++
      return undefined
    }
    this.#hits++
    return value
  }

  /**
   * Caches a value, unless a dependency has changed already.
   *
   * @param size size of the value, in the unit of the capacity.
   * @param tracker tracks the dependencies of the value; it stops when the value is dropped, and immediately when the
   *   value is not cached.
   */
  set(key: string, value: V, size: number, tracker: CacheTracker): void {
    const space = this.#space
    if (this.capacity === 0 || tracker.stale || size > this.#maxValueSize) {
      tracker.stop()
      return
    }
    const entry: CacheEntry = { value, tracker, size: Math.max(1, size), onDropped: this.#onDropped }
    const name = this.#prefix + key
    this.#count++
    this.#size += entry.size
    space.set(name, entry)
    tracker.onStale(() => space.remove(name, entry))
  }

  stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, entries: this.#count, size: this.#size }
  }

  readonly #onDropped = (size: number): void => {
    this.#count--
    this.#size -= size
  }
}

/** Returns the same reads, each of which is added to a tracker before the storage is queried. */
export function trackedReads(reads: StorageReads, tracker: DependencyTracker): StorageReads {
  return {
    get(id) {
      tracker.add(documentDependency(id))
      return reads.get(id)
    },
    getMany(ids) {
      for (const id of ids) tracker.add(documentDependency(id))
      return reads.getMany(ids)
    },
    list(query) {
      tracker.add(listDependency(query))
      return reads.list(query)
    },
    hasKey(set, key) {
      tracker.add(keySetDependency(set))
      return reads.hasKey(set, key)
    },
    findKeys(set, elements) {
      tracker.add(keySetDependency(set))
      return reads.findKeys(set, elements)
    },
    countKeys(set, without) {
      tracker.add(keySetDependency(set))
      if (without) tracker.add(keySetDependency(without))
      return reads.countKeys(set, without)
    },
    pageKeys(set, page) {
      tracker.add(keySetDependency(set))
      return reads.pageKeys(set, page)
    },
    scan(query) {
      tracker.add(samplesDependency(query.series))
      return reads.scan(query)
    },
    newest(query) {
      tracker.add(samplesDependency(query.series))
      return reads.newest(query)
    },
    listTasks(queue, page) {
      // The storage need not report that another process has taken, finished or postponed tasks, so a value that
      // depends on tasks is never cached.
      tracker.invalidate()
      return reads.listTasks(queue, page)
    },
  }
}

/** A value of a cache, with what must be done when it is dropped. */
export interface CacheEntry {
  readonly value: unknown
  readonly tracker: CacheTracker
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

// Bounded by size: with `max` the cache would allocate its full capacity in advance, which slows down an engine that is
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
