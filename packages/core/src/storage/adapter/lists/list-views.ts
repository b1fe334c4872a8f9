import { type Condition, isUnder, type ListQuery } from '../../port.ts'
import type { Row } from '../row.ts'
import { allOf, type RowTest } from '../row-conditions.ts'
import { type RowOrder, rowOrder, type SortedRow } from '../row-order.ts'
import { ChangeJournal, maxChanges, type RowChange } from './change-journal.ts'
import type { Pauses } from './pauses.ts'
import { type IndexedRows, RowIndexes } from './row-indexes.ts'
import { keysOf, lookupsOf } from './row-lookup.ts'
import { sortInSteps } from './sort-in-steps.ts'

/** The parts of a query that select and order the rows of a list, without its page. */
type Selection = Pick<ListQuery, 'collection' | 'scope' | 'deep' | 'where' | 'order'>

/** The rows of all collections by scope, as maps by key. */
export interface DocumentRows {
  find(collection: string, scope: string): ReadonlyMap<string, Row> | undefined
  /** Returns the rows at and under a scope. */
  under(collection: string, scope: string): ReadonlyMap<string, Row>[]
}

/** Options of `ListViews`. */
export interface ListViewOptions {
  readonly pauses: Pauses
  /** Maximum number of rows in all cached lists together. Each row takes 8 bytes. Default: 4,000,000. */
  readonly rows?: number
  /** Maximum number of rows in all indexes together. Default: 2,000,000. */
  readonly indexRows?: number
}

const noRows: ReadonlyMap<string, Row> = new Map()

/** All rows of a list in its order, as they were at a position of the journal. */
interface ListView {
  readonly order: RowOrder
  readonly includes: RowTest
  readonly rows: Row[]
  position: number
}

/** Number of examined rows below which a list is not cached but computed for each read. */
const minExamined = 64

/** Number of rows below which a list is filtered without an index. */
const minIndexed = 256

/**
 * Maximum length of the conditions of a cached list, in characters. Lists with longer conditions are computed for each
 * read.
 */
const maxKeyLength = 4096

/** Maximum number of values of a condition of a cached list. */
const maxKeyValues = 1_000

/** Default of `ListViewOptions.rows`. */
const defaultMaxRows = 4_000_000

/** Number of rows that are examined at a time, which takes less than a millisecond. */
const rowsOfStep = 1024

/** Maximum number of cached lists. */
const maxViews = 256

/**
 * Caches the lists that were read last, in their order. A page of a cached list costs the rows of the page, and a
 * change of a row costs one entry of a journal, which the next reader of the list applies.
 */
export class ListViews {
  /** The cached lists; the least recently read list comes first. */
  readonly #views = new Map<string, ListView>()
  readonly #pending = new Map<string, Promise<ListView>>()
  /** Journals of the collections that have lists. */
  readonly #journals = new Map<string, ChangeJournal>()
  readonly #indexes: RowIndexes
  readonly #pauses: Pauses
  readonly #maxRows: number

  constructor({ pauses, rows = defaultMaxRows, indexRows }: ListViewOptions) {
    this.#pauses = pauses
    this.#maxRows = rows
    this.#indexes = new RowIndexes(pauses, indexRows)
  }

  /** Records a change of a row. */
  record(collection: string, change: RowChange): void {
    this.#journals.get(collection)?.add(change)
    this.#indexes.record(collection, change)
  }

  /** Records that rows of a collection were removed together. */
  recordRemoved(collection: string, rows: ReadonlyMap<string, Row>): void {
    if (rows.size <= maxChanges)
      for (const before of rows.values()) this.record(collection, { before, after: undefined })
    else {
      this.#journals.get(collection)?.reset()
      this.#indexes.reset(collection)
    }
  }

  /**
   * Returns all rows of a list in its order. The array is valid until the next change.
   *
   * @param documents source of the rows when the list is not cached.
   */
  async rowsOf(documents: DocumentRows, query: Selection): Promise<readonly Row[]> {
    const buckets = bucketsOf(documents, query)
    if (sizeOf(buckets) < minExamined) return fewRowsInOrder(buckets, query)
    const key = keyOf(query)
    const cachedView = this.#takeView(key)
    if (cachedView && this.#catchUp(cachedView, query)) {
      this.#views.set(key, cachedView)
      return cachedView.rows
    }
    const view = await (this.#pending.get(key) ?? this.#make(key, documents, query))
    // Another commit may have changed rows since the list was made.
    return this.#catchUp(view, query) ? view.rows : this.rowsOf(documents, query)
  }

  /** Removes and returns a cached list. */
  #takeView(key: string): ListView | undefined {
    const view = this.#views.get(key)
    this.#views.delete(key)
    return view
  }

  /** Makes a list once for all readers that wait for it, and caches it if later reads are expected. */
  #make(key: string, documents: DocumentRows, query: Selection): Promise<ListView> {
    const journal = this.#journalOf(query.collection)
    const release = journal.hold()
    const work = this.#rowsInOrder(documents, query, journal).then((made) => {
      this.#catchUp(made.view, query)
      if (key !== notCached && made.examined >= minExamined) this.#keep(key, made.view)
      return made.view
    })
    const pending = work.finally(() => {
      release()
      this.#pending.delete(key)
    })
    if (key !== notCached) this.#pending.set(key, pending)
    return pending
  }

  async #rowsInOrder(documents: DocumentRows, query: Selection, journal: ChangeJournal) {
    const order = rowOrder(query.order ?? [])
    const includes = query.where?.length ? allOf(query.where) : () => true
    const pause = this.#pauses()
    // Copied before the first pause, so that all rows are of one moment.
    const examined = this.#lookUp(documents, query, journal) ?? rowsIn(documents, query)
    const position = journal.end
    const selected: SortedRow[] = []
    for (const [i, row] of examined.entries()) {
      if (includes(row)) selected.push(order.read(row))
      if (i % rowsOfStep === 0) await pause()
    }
    const sorted = await sortInSteps(selected, order.compare, pause)
    const view: ListView = { order, includes, rows: sorted.map(({ row }) => row), position }
    return { view, examined: examined.length }
  }

  /**
   * Returns the rows that may meet the conditions of a query; undefined when no index can answer the query. The first
   * list that needs an index examines all rows, and the index is made at the same time.
   */
  #lookUp(documents: DocumentRows, query: Selection, journal: ChangeJournal): readonly Row[] | undefined {
    const { collection, scope, deep = false, where = [] } = query
    const keys = deep ? undefined : keysOf(where)
    if (keys) {
      const rowsByKey = documents.find(collection, scope) ?? noRows
      return [...new Set(keys)].flatMap((key) => rowsByKey.get(key) ?? [])
    }
    const lookups = sizeOf(bucketsOf(documents, query)) < minIndexed ? [] : lookupsOf(where)
    const rows: IndexedRows = {
      collection,
      key: `${deep} ${scope}`,
      belongs: ({ document }) => (deep ? isUnder(document.scope, scope) : document.scope === scope),
      read: () => rowsIn(documents, query),
    }
    for (const lookup of lookups) void this.#indexes.prepare(rows, lookup, journal)
    return this.#indexes.candidates(rows, lookups)
  }

  #journalOf(collection: string): ChangeJournal {
    const journal = this.#journals.get(collection) ?? new ChangeJournal()
    this.#journals.set(collection, journal)
    return journal
  }

  #keep(key: string, view: ListView): void {
    this.#views.set(key, view)
    let rows = 0
    for (const {
      rows: { length },
    } of this.#views.values())
      rows += length
    for (const [oldKey, old] of this.#views) {
      if (rows <= this.#maxRows && this.#views.size <= maxViews) break
      this.#views.delete(oldKey)
      rows -= old.rows.length
    }
  }

  /** Applies the changes since the list was read; returns false when that is not possible. */
  #catchUp(view: ListView, { collection, scope, deep }: Selection): boolean {
    const journal = this.#journalOf(collection)
    const changes = journal.since(view.position)
    if (!changes) return false
    const belongs = (row: Row) =>
      (deep ? isUnder(row.document.scope, scope) : row.document.scope === scope) && view.includes(row)
    for (const change of changes) {
      if (change.before && belongs(change.before)) view.rows.splice(positionOf(view, change.before), 1)
      if (change.after && belongs(change.after)) view.rows.splice(positionOf(view, change.after), 0, change.after)
    }
    view.position = journal.end
    return true
  }
}

/** The key of all lists that are not cached. */
const notCached = ''

/** Returns the key of a cached list. A list with long conditions is not cached. */
function keyOf({ collection, scope, deep, where, order }: Selection): string {
  // A filter by status contains the keys of all flags that have the status. Its text takes several milliseconds.
  if (where?.some(hasManyValues)) return notCached
  // The next list by keys has other keys.
  if (where && !deep && keysOf(where)) return notCached
  const key = JSON.stringify([collection, scope, deep ?? false, where ?? [], order ?? []])
  return key.length <= maxKeyLength ? key : notCached
}

function hasManyValues(condition: Condition): boolean {
  switch (condition.op) {
    case 'anyOf':
      return condition.values.length > maxKeyValues
    case 'and':
      return condition.all.some(hasManyValues)
    case 'or':
      return condition.any.some(hasManyValues)
    case 'not':
      return hasManyValues(condition.condition)
    default:
      return false
  }
}

function bucketsOf(documents: DocumentRows, { collection, scope, deep }: Selection): ReadonlyMap<string, Row>[] {
  return deep ? documents.under(collection, scope) : [documents.find(collection, scope) ?? noRows]
}

function sizeOf(buckets: readonly ReadonlyMap<string, Row>[]): number {
  let size = 0
  for (const rows of buckets) size += rows.size
  return size
}

/** Makes a list that examines so few rows that it is not cached. Every change of an account reads some such lists. */
function fewRowsInOrder(buckets: readonly ReadonlyMap<string, Row>[], { where, order }: Selection): readonly Row[] {
  if (sizeOf(buckets) === 0) return []
  const { read, compare } = rowOrder(order ?? [])
  const rows: Row[] = []
  for (const bucket of buckets) rows.push(...bucket.values())
  const selected = where?.length ? rows.filter(allOf(where)) : rows
  return selected
    .map(read)
    .sort(compare)
    .map(({ row }) => row)
}

function rowsIn(documents: DocumentRows, query: Selection): Row[] {
  return bucketsOf(documents, query).flatMap((rows) => [...rows.values()])
}

/** Returns the position of a row of the list, or the position at which it would be inserted. */
function positionOf({ rows, order }: ListView, row: Row): number {
  const sought = order.read(row)
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order.compare(order.read(rows[middle]!), sought) < 0) low = middle + 1
    else high = middle
  }
  return low
}
