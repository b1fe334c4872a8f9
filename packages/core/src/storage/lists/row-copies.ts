import { LRUCache } from 'lru-cache'
import type { Pauses } from '../adapter/lists/pauses.ts'
import { type CacheSpace, type CacheStats, DependencyCache, type Invalidator } from '../dependency-cache.ts'
import { RowCopy, type RowPage, type RowQuery } from './row-copy.ts'
import type { RowSource } from './row-source.ts'

/** Number of rows below which a storage answers each list fast. */
const minRows = 200

/**
 * Number of lists that the storage answers before their rows are copied. Reading all rows costs about as much as a list
 * that no index of the storage answers.
 */
const listsBeforeCopy = 3

/** Maximum number of sources whose lists are counted. */
const maxCounted = 1_000

/** Estimated heap size of a row, with its positions in ordered lists and indexes, bytes. */
const rowBytes = 1_000

/** Share of the space of the cache that one copy may take. */
const maxShare = 1 / 2

/** A list that the storage has answered. */
export interface AnsweredList {
  /** Number of rows that matched, or of all rows. */
  readonly total: number
  /** The source of the rows, from which a copy is made. */
  readonly source: () => RowSource
  /** Integer ms, UTC. */
  readonly now: number
}

/** Copies of rows whose lists are read often. */
export class RowCopies {
  readonly #pauses: Pauses
  readonly #invalidator: Invalidator
  readonly #copies: DependencyCache<RowCopy>
  /** Number of lists of each name that the storage has answered since the last copy was made. */
  readonly #listCounts = new LRUCache<string, number>({ max: maxCounted })
  readonly #pending = new Set<string>()

  constructor(pauses: Pauses, invalidator: Invalidator, space: CacheSpace) {
    this.#pauses = pauses
    this.#invalidator = invalidator
    this.#copies = new DependencyCache(invalidator, { capacity: space, maxValueShare: maxShare })
  }

  /**
   * Returns a page of a list; undefined when its rows are not copied.
   *
   * @param name identifies the rows.
   * @param now integer ms, UTC.
   */
  async page(name: string, query: RowQuery, now: number): Promise<RowPage | undefined> {
    return this.#copies.get(name)?.page(query, now)
  }

  /** True when rows can be copied now. */
  get canCopy(): boolean {
    return this.#copies.capacity > 0 && this.#invalidator.isLive()
  }

  /** Counts a list that the storage has answered. The third list of many rows starts a copy. */
  count(name: string, { total, source, now }: AnsweredList): void {
    if (total < minRows || total * rowBytes > this.#copies.capacity * maxShare) return
    const lists = (this.#listCounts.get(name) ?? 0) + 1
    this.#listCounts.set(name, lists)
    if (lists >= listsBeforeCopy && !this.#pending.has(name)) void this.#copy(name, source(), now)
  }

  stats(): CacheStats {
    return this.#copies.stats()
  }

  async #copy(name: string, source: RowSource, now: number): Promise<void> {
    this.#pending.add(name)
    const stops: (() => void)[] = []
    const copy = new RowCopy(source, this.#pauses, () => {
      for (const stop of stops) stop()
    })
    try {
      if (this.#notify(copy, source, stops) && (await copy.readAll(now)))
        this.#copies.set(name, copy, copy.size * rowBytes, copy)
      else copy.stop()
    } catch {
      // The storage does not answer. A later list starts another copy.
      copy.stop()
    } finally {
      this.#listCounts.delete(name)
      this.#pending.delete(name)
    }
  }

  /** Notifies a copy of changes; returns false while the storage cannot report them. */
  #notify(copy: RowCopy, { lists, shared }: RowSource, stops: (() => void)[]): boolean {
    const started = lists.map((list) => this.#invalidator.notify(copy, list))
    if (shared) started.push(this.#invalidator.notify(copy.sharedValueDependent, shared.dependency))
    stops.push(...started.filter((stop) => stop !== undefined))
    return !started.includes(undefined)
  }
}
