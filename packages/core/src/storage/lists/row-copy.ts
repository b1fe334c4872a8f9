import { deepFreeze } from '../../rules/deep-freeze.ts'
import { type DocumentRows, ListViews } from '../adapter/lists/list-views.ts'
import type { Pauses } from '../adapter/lists/pauses.ts'
import type { Row } from '../adapter/row.ts'
import type { CacheTracker, Dependent } from '../dependency-index.ts'
import type { DocumentId, ListedDocument, ListQuery } from '../port.ts'
import type { StorageReads } from '../reads.ts'

/** The documents of one collection in one scope. */
export type RowPlace = Pick<ListQuery, 'collection' | 'scope'>

/** The storage of the rows, and the pauses of long work on them. */
export interface CopySource {
  readonly reads: Pick<StorageReads, 'list'>
  readonly pauses: Pauses
}

/** A page of rows, and the number of rows that match. */
export interface RowPage {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Number of rows of one read, which blocks the event loop for a few milliseconds. */
const rowsOfRead = 2_000

/** Number of changed documents above which all rows are read again, in place of those that were changed. */
const maxChanged = 1_000

/** Number of ordered lists, and of indexes, that a copy keeps of all its rows. */
const [keptLists, keptIndexes] = [16, 8]

/**
 * A copy in memory of the rows of one collection in one scope. It answers every list of them as the storage would, from
 * ordered lists and indexes. A row that a commit has changed is read again before the next list.
 */
export class RowCopy implements Dependent, CacheTracker {
  stale = false
  readonly #reads: Pick<StorageReads, 'list'>
  readonly #place: RowPlace
  readonly #rows = new Map<string, Row>()
  readonly #documents: DocumentRows = { find: () => this.#rows, under: () => [this.#rows] }
  readonly #pauses: Pauses
  #views: ListViews
  /** Keys of the documents that were changed after their rows were read. */
  readonly #changed = new Set<string>()
  #reading: Promise<void> | undefined
  #drop: (() => void) | undefined
  readonly #onStop: () => void

  /** @param onStop called when the copy is no longer used. */
  constructor({ reads, pauses }: CopySource, place: RowPlace, onStop: () => void) {
    this.#reads = reads
    this.#pauses = pauses
    this.#views = new ListViews({ pauses })
    this.#place = place
    this.#onStop = onStop
  }

  get size(): number {
    return this.#rows.size
  }

  /**
   * Reads all rows. The copy must be notified of changes before that.
   *
   * @returns false when documents were created or deleted in the meantime, so that the pages do not fit together.
   */
  async readAll(): Promise<boolean> {
    const { collection, scope } = this.#place
    let last: string | undefined
    for (;;) {
      // Each page starts with the last row of the page before. When that row has another position now, rows between the
      // two pages may be missing.
      const offset = Math.max(0, this.#rows.size - 1)
      const { items } = await this.#reads.list({ collection, scope, select: 'fields', offset, limit: rowsOfRead })
      if (this.stale || (last !== undefined && items[0]?.key !== last)) return false
      for (const item of items) this.#rows.set(item.key, rowOf(item))
      last = items.at(-1)?.key
      if (items.length < rowsOfRead) break
    }
    const [rows, indexRows] = [keptLists * this.#rows.size, keptIndexes * this.#rows.size]
    this.#views = new ListViews({ pauses: this.#pauses, rows, indexRows })
    return true
  }

  /** Returns a page of a list; undefined when the copy can no longer be used. */
  async page(query: ListQuery): Promise<RowPage | undefined> {
    await this.#reading
    if (this.#changed.size > 0) this.#reading = this.#readChanged()
    await this.#reading
    if (this.stale) return undefined
    const rows = await this.#views.rowsOf(this.#documents, query)
    const { offset = 0, limit } = query
    return this.stale ? undefined : { rows: rows.slice(offset, offset + limit), total: rows.length }
  }

  invalidate(changed?: DocumentId): void {
    if (changed) this.#changed.add(changed.key)
    if (changed && this.#changed.size <= maxChanged) return
    this.stop()
    this.#drop?.()
  }

  onStale(drop: () => void): void {
    this.#drop = drop
  }

  /** Makes the copy stale, because it is no longer notified of changes. */
  stop(): void {
    this.stale = true
    this.#onStop()
  }

  async #readChanged(): Promise<void> {
    const { collection, scope } = this.#place
    const keys = [...this.#changed]
    this.#changed.clear()
    try {
      const where = [{ op: 'anyOf', field: 'key', values: keys }] as const
      const { items } = await this.#reads.list({ collection, scope, select: 'fields', where, limit: keys.length })
      const rows = new Map(items.map((item) => [item.key, rowOf(item)]))
      for (const key of keys) this.#replace(key, rows.get(key))
    } catch {
      // The list is then read from the storage, which reports the error.
      this.invalidate()
    }
  }

  #replace(key: string, after: Row | undefined): void {
    const before = this.#rows.get(key)
    if (after) this.#rows.set(key, after)
    else this.#rows.delete(key)
    if (before || after) this.#views.record(this.#place.collection, { before, after })
  }
}

function rowOf({ key, scope, version, fields }: ListedDocument): Row {
  return { document: { key, scope, version, body: undefined }, fields: deepFreeze(fields) }
}
