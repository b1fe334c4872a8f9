import type { Row } from '../row.ts'
import type { ChangeJournal, RowChange } from './change-journal.ts'
import type { Pauses } from './pauses.ts'
import { RowIndex } from './row-index.ts'
import type { RowLookup } from './row-lookup.ts'

/** Number of rows that are added at a time, which takes less than a millisecond. */
const rowsOfStep = 256

/** Default of the maximum number of rows in all indexes. */
const defaultMaxRows = 2_000_000

/** Maximum number of indexes. */
const maxIndexes = 64

/** The rows for which indexes are made: all rows of a collection in one scope, or all rows under the scope. */
export interface IndexedRows {
  readonly collection: string
  /** Identifies the rows within the collection. */
  readonly key: string
  belongs(row: Row): boolean
  /** Returns all rows as they are stored now. */
  read(): Row[]
}

interface KeptIndex {
  readonly index: RowIndex
  readonly belongs: (row: Row) => boolean
}

/** Keeps the indexes that lists use. Every change of a row is applied to the indexes of its collection. */
export class RowIndexes {
  /** The indexes of each collection, oldest first. */
  readonly #byCollection = new Map<string, Map<string, KeptIndex>>()
  /** Names of the indexes that are being made. */
  readonly #pending = new Set<string>()
  readonly #pauses: Pauses
  readonly #maxRows: number

  /** @param maxRows maximum number of rows in all indexes together. Default: 2,000,000. */
  constructor(pauses: Pauses, maxRows = defaultMaxRows) {
    this.#pauses = pauses
    this.#maxRows = maxRows
  }

  /** Applies a change of a row. */
  record(collection: string, change: RowChange): void {
    for (const [key, { index, belongs }] of this.#byCollection.get(collection) ?? []) {
      index.apply(change, belongs)
      if (index.sparse) this.#byCollection.get(collection)?.delete(key)
    }
  }

  /** Removes the indexes of a collection, because rows were removed without `record`. */
  reset(collection: string): void {
    this.#byCollection.delete(collection)
  }

  /** Makes the index of a lookup in steps, unless it exists or is being made. */
  async prepare(rows: IndexedRows, lookup: RowLookup, journal: ChangeJournal): Promise<void> {
    const id = `${rows.collection} ${keyOf(rows, lookup)}`
    if (this.#find(rows, lookup) || this.#pending.has(id)) return
    this.#pending.add(id)
    const release = journal.hold()
    const pause = this.#pauses()
    const index = new RowIndex(lookup.termsOf)
    const position = journal.end
    for (const [i, row] of rows.read().entries()) {
      index.add(row)
      if (i % rowsOfStep === 0) await pause()
    }
    const changes = journal.since(position)
    release()
    this.#pending.delete(id)
    if (!changes) return
    for (const change of changes) index.apply(change, rows.belongs)
    this.#keep(rows, lookup, { index, belongs: rows.belongs })
  }

  /**
   * Returns a superset of the rows that meet all conditions of a list, from the lookup for which an index returns the
   * fewest rows.
   *
   * @returns undefined when there is no index.
   */
  candidates(rows: IndexedRows, lookups: readonly RowLookup[]): Row[] | undefined {
    let best: { readonly index: RowIndex; readonly terms: readonly string[]; readonly count: number } | undefined
    for (const lookup of lookups) {
      const index = this.#find(rows, lookup)?.index
      if (!index) continue
      const terms = lookup.terms(index)
      const count = terms.reduce((sum, term) => sum + index.count(term), 0)
      if (!best || count < best.count) best = { index, terms, count }
    }
    return best?.index.find(best.terms)
  }

  #find(rows: IndexedRows, lookup: RowLookup): KeptIndex | undefined {
    return this.#byCollection.get(rows.collection)?.get(keyOf(rows, lookup))
  }

  #keep(indexed: IndexedRows, lookup: RowLookup, kept: KeptIndex): void {
    const indexes = this.#byCollection.get(indexed.collection) ?? new Map<string, KeptIndex>()
    this.#byCollection.set(indexed.collection, indexes)
    indexes.set(keyOf(indexed, lookup), kept)
    let rows = 0
    let count = 0
    for (const each of this.#byCollection.values()) {
      for (const { index } of each.values()) rows += index.size
      count += each.size
    }
    // The oldest indexes are removed first. If a list still needs one of them, the next read makes it again.
    for (const each of this.#byCollection.values()) {
      for (const [oldKey, { index }] of each) {
        if ((rows <= this.#maxRows && count <= maxIndexes) || each.get(oldKey) === kept) continue
        each.delete(oldKey)
        rows -= index.size
        count--
      }
    }
  }
}

function keyOf(rows: IndexedRows, lookup: RowLookup): string {
  return `${rows.key} ${lookup.index}`
}
