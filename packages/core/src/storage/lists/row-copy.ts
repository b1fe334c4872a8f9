import { type DocumentRows, ListViews } from '../adapter/lists/list-views.ts'
import type { Pauses } from '../adapter/lists/pauses.ts'
import type { Row } from '../adapter/row.ts'
import type { CacheTracker, Dependent } from '../dependency-index.ts'
import type { DocumentId, ListQuery } from '../port.ts'
import { type RowSource, validUntil } from './row-source.ts'

/** A page of rows, and the number of rows that match. */
export interface RowPage {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Selects, orders and divides the rows of a copy. */
export type RowQuery = Pick<ListQuery, 'where' | 'order' | 'offset' | 'limit'>

/**
 * Number of rows of one read, which blocks the event loop for a few milliseconds. Memory storage looks up so many keys
 * one by one.
 */
const rowsOfRead = 1_000

/** Number of changed rows above which all rows are read again, in place of those that were changed. */
const maxChanged = 1_000

/** Number of ordered lists, and of indexes, that a copy keeps of all its rows. */
const [keptLists, keptIndexes] = [16, 8]

/** The collection of all rows of a copy. It has no name, because a copy contains no other collection. */
const collection = ''

/** The order in which the rows that change first come first. */
const firstToChange = [{ field: validUntil, type: 'number' }] as const

/**
 * A copy in memory of the rows of a source. It answers every list of them as a storage would, from ordered lists and
 * indexes. A row whose documents a commit has changed is read again before the next list.
 */
export class RowCopy implements Dependent, CacheTracker {
  stale = false
  readonly #source: RowSource
  readonly #rows = new Map<string, Row>()
  readonly #documents: DocumentRows = { find: () => this.#rows, under: () => [this.#rows] }
  readonly #pauses: Pauses
  #views: ListViews
  /** Keys of the rows whose documents were changed after they were read. */
  readonly #changed = new Set<string>()
  #shared: unknown
  #isSharedRead = true
  #reading: Promise<void> | undefined
  #drop: (() => void) | undefined
  readonly #onStop: () => void

  /** @param onStop called when the copy is no longer used. */
  constructor(source: RowSource, pauses: Pauses, onStop: () => void) {
    this.#source = source
    this.#pauses = pauses
    this.#views = new ListViews({ pauses })
    this.#onStop = onStop
  }

  get size(): number {
    return this.#rows.size
  }

  /**
   * Reads all rows. The copy must be notified of changes before that.
   *
   * @param now integer ms, UTC.
   * @returns false when documents were created or deleted in the meantime, so that the parts do not fit together.
   */
  async readAll(now: number): Promise<boolean> {
    let last: string | undefined
    this.#shared = await this.#source.shared?.read()
    for (;;) {
      // Each part starts with the last row of the part before. When that row has another position now, rows between the
      // two parts may be missing.
      const offset = Math.max(0, this.#rows.size - 1)
      const rows = await this.#source.readPart({ offset, limit: rowsOfRead }, now)
      if (this.stale || (last !== undefined && rows[0]?.document.key !== last)) return false
      for (const row of rows) this.#rows.set(row.document.key, row)
      last = rows.at(-1)?.document.key
      if (rows.length < rowsOfRead) break
    }
    const [rows, indexRows] = [keptLists * this.#rows.size, keptIndexes * this.#rows.size]
    this.#views = new ListViews({ pauses: this.#pauses, rows, indexRows })
    return true
  }

  /**
   * Returns a page of a list; undefined when the copy can no longer be used.
   *
   * @param now integer ms, UTC.
   */
  async page(query: RowQuery, now: number): Promise<RowPage | undefined> {
    await this.#update(now)
    if (this.stale) return undefined
    const rows = await this.#rowsOf(query)
    const { offset = 0, limit } = query
    return this.stale ? undefined : { rows: rows.slice(offset, offset + limit), total: rows.length }
  }

  invalidate(changed?: DocumentId): void {
    if (changed) this.#changed.add(changed.key)
    if (changed && this.#changed.size <= maxChanged) return
    this.stop()
    this.#drop?.()
  }

  /**
   * Is notified of changes of the shared value. A storage also reports a commit that only ensures that the value is
   * stored.
   */
  readonly sharedValueDependent: Dependent = {
    invalidate: () => {
      this.#isSharedRead = false
    },
  }

  onStale(drop: () => void): void {
    this.#drop = drop
  }

  /** Makes the copy stale, because it is no longer notified of changes. */
  stop(): void {
    this.stale = true
    this.#onStop()
  }

  /**
   * Reads the rows again that were changed, and those that have expired. One reading follows the other: if two ran
   * concurrently, the slower one would replace newer rows by older ones.
   */
  #update(now: number): Promise<void> {
    const earlier = this.#reading
    this.#reading = (async () => {
      await earlier
      if (this.stale) return
      try {
        if (this.#source.expires) await this.#addExpired(now)
        if (this.#changed.size > 0 || !this.#isSharedRead) await this.#readChanged(now)
      } catch {
        // The list is then read from the storage, which reports the error.
        this.invalidate()
      }
    })()
    return this.#reading
  }

  /** Adds the keys of the rows that have expired to those of the changed rows. */
  async #addExpired(now: number): Promise<void> {
    const rows = await this.#rowsOf({ order: firstToChange })
    for (const { document, fields } of rows) {
      if ((fields[validUntil] as number) > now || this.stale) return
      this.invalidate({ collection, scope: document.scope, key: document.key })
    }
  }

  #rowsOf({ where, order }: Pick<RowQuery, 'where' | 'order'>): Promise<readonly Row[]> {
    return this.#views.rowsOf(this.#documents, {
      collection,
      scope: this.#source.scope,
      ...(where === undefined ? {} : { where }),
      ...(order === undefined ? {} : { order }),
    })
  }

  async #readChanged(now: number): Promise<void> {
    const keys = [...this.#changed]
    this.#changed.clear()
    const isSharedRead = this.#isSharedRead
    this.#isSharedRead = true
    if (!isSharedRead && (await this.#source.shared?.read()) !== this.#shared) return this.invalidate()
    if (keys.length === 0) return
    const read = await this.#source.readKeys(keys, now)
    const rows = new Map(read.map((row) => [row.document.key, row]))
    for (const key of keys) this.#replace(key, rows.get(key))
  }

  #replace(key: string, after: Row | undefined): void {
    const before = this.#rows.get(key)
    if (after) this.#rows.set(key, after)
    else this.#rows.delete(key)
    if (before || after) this.#views.record(collection, { before, after })
  }
}
