import { LRUCache } from 'lru-cache'
import { type CacheSpace, type CacheStats, DependencyCache, type Invalidator } from '../dependency-cache.ts'
import { listDependency } from '../dependency-index.ts'
import type { DocumentPage, ListQuery } from '../port.ts'
import { type CopySource, RowCopy, type RowPage } from './row-copy.ts'

/** Number of documents below which a storage answers each list fast. */
const minRows = 200

/**
 * Number of lists of a place that the storage answers before its rows are copied. Reading all rows costs about as much
 * as a list that no index of the storage answers.
 */
const listsBeforeCopy = 3

/** Maximum number of places whose lists are counted. */
const maxPlaces = 1_000

/** Estimated heap size of a row, with its positions in ordered lists and indexes, bytes. */
const rowBytes = 1_000

/** Share of the space of the cache that one copy may take. */
const maxShare = 1 / 2

/** Copies of the rows of collections whose lists are read often. */
export class RowCopies {
  readonly #source: CopySource
  readonly #invalidator: Invalidator
  readonly #copies: DependencyCache<RowCopy>
  /** Number of lists of each place that the storage has answered since the place had a copy. */
  readonly #listCounts = new LRUCache<string, number>({ max: maxPlaces })
  readonly #pending = new Set<string>()

  constructor(source: CopySource, invalidator: Invalidator, space: CacheSpace) {
    this.#source = source
    this.#invalidator = invalidator
    this.#copies = new DependencyCache(invalidator, { capacity: space, maxValueShare: maxShare })
  }

  /** Returns a page of a list; undefined when its rows are not copied. */
  async page(query: ListQuery): Promise<RowPage | undefined> {
    return query.deep ? undefined : this.#copies.get(listDependency(query))?.page(query)
  }

  /** Counts a list that the storage has answered. The third list of many rows starts a copy. */
  count(query: ListQuery, { total = 0 }: DocumentPage): void {
    if (query.deep || total < minRows || total * rowBytes > this.#copies.capacity * maxShare) return
    const place = listDependency(query)
    const lists = (this.#listCounts.get(place) ?? 0) + 1
    this.#listCounts.set(place, lists)
    if (lists >= listsBeforeCopy) void this.#copy(place, query)
  }

  stats(): CacheStats {
    return this.#copies.stats()
  }

  async #copy(place: string, query: ListQuery): Promise<void> {
    if (this.#pending.has(place)) return
    this.#pending.add(place)
    let stop: (() => void) | undefined
    const copy = new RowCopy(this.#source, query, () => stop?.())
    stop = this.#invalidator.notify(copy, place)
    try {
      if (stop && (await copy.readAll())) this.#copies.set(place, copy, copy.size * rowBytes, copy)
      else copy.stop()
    } catch {
      // The storage does not answer. The next list of the place starts another copy.
      copy.stop()
    } finally {
      this.#listCounts.delete(place)
      this.#pending.delete(place)
    }
  }
}
