import { type Reader, StorageReader } from '../reader.ts'
import type { StorageReads } from '../reads.ts'
import type { RowCopies } from './row-copies.ts'
import type { RowPage, RowQuery } from './row-copy.ts'
import type { RowSource } from './row-source.ts'

/**
 * A list whose rows are made of the documents of several collections that have the same key, and of the time. No
 * storage can answer it from an index, so an engine keeps its rows in memory.
 */
export interface JoinedList<ListKeys> {
  readonly name: string
  /** Returns the source of the rows. It is used for longer than one call. */
  source(tx: Reader, keys: ListKeys): RowSource
}

/** The rows of a joined list, if they are in memory. */
export interface JoinedRows {
  /** Returns a page; undefined when the rows are not in memory. */
  page(query: RowQuery): Promise<RowPage | undefined>
  /**
   * Counts a list that was answered without these rows. The third one of many rows requests that they are kept in
   * memory.
   *
   * @param total returns the number of all rows. It is not called when rows cannot be kept.
   */
  count(total: () => Promise<number>): Promise<void>
}

/** The joined lists of an engine. */
export class JoinedLists {
  readonly #reader: Reader
  readonly #copies: RowCopies

  constructor(reads: StorageReads, copies: RowCopies) {
    this.#reader = new StorageReader(reads)
    this.#copies = copies
  }

  /**
   * Returns the rows of a list.
   *
   * @param now integer ms, UTC.
   */
  rowsOf<ListKeys extends object>(list: JoinedList<ListKeys>, keys: ListKeys, now: number): JoinedRows {
    const name = `${list.name} ${JSON.stringify(keys)}`
    const source = () => list.source(this.#reader, keys)
    return {
      page: (query) => this.#copies.page(name, query, now),
      count: async (total) => {
        if (this.#copies.canCopy) this.#copies.count(name, { total: await total(), source, now })
      },
    }
  }
}
