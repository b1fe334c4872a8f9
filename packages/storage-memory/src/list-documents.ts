import {
  compareCodePoints,
  type DocumentPage,
  type ListedDocument,
  type ListQuery,
  type Order,
} from '@halyard/core/storage'
import { allOf, fieldOf, type RowTest } from './conditions.ts'
import { type Documents, type Shelf, shelfKeys } from './documents.ts'
import type { Row } from './row.ts'

/** The rows of a page, and the number of matches without limit and offset (exact only when the query counts). */
interface Selection {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Returns one page of a collection, in a total order. */
export function listDocuments(documents: Documents, query: ListQuery): DocumentPage {
  const shelves = shelvesOf(documents, query)
  const keep = query.where?.length ? allOf(query.where) : undefined
  const [first] = query.order ?? []
  const [shelf] = shelves
  // The keys of one bucket are distinct and sorted, so no criterion after the key can matter and nothing has to be
  // sorted.
  const byKey = shelf !== undefined && shelves.length === 1 && (first === undefined || first.field === 'key')
  const { rows, total } = byKey
    ? selectByKey(shelf, query, keep, first?.descending === true)
    : selectSorted(shelves, query, keep)
  return { items: rows.map((row) => listed(row, query.select)), total: query.count ? total : undefined }
}

function shelvesOf(documents: Documents, { collection, scope, deep }: ListQuery): readonly Shelf[] {
  if (deep) return documents.under(collection, scope)
  const shelf = documents.find(collection, scope)
  return shelf ? [shelf] : []
}

function listed({ document, fields }: Row, select: ListQuery['select']): ListedDocument {
  const { key, scope, version, body } = document
  return { key, scope, version, fields, body: select === 'bodies' ? body : undefined }
}

function selectByKey(shelf: Shelf, query: ListQuery, keep: RowTest | undefined, descending: boolean): Selection {
  const { offset = 0, limit, count } = query
  const end = offset + limit
  const keys = shelfKeys(shelf)
  const rowAt = (i: number) => shelf.rows.get(keys[descending ? keys.length - 1 - i : i]!)!
  const rows: Row[] = []
  if (!keep) {
    for (let i = offset; i < Math.min(end, keys.length); i++) rows.push(rowAt(i))
    return { rows, total: keys.length }
  }
  let matched = 0
  for (let i = 0; i < keys.length && (count || matched < end); i++) {
    const row = rowAt(i)
    if (!keep(row)) continue
    if (matched >= offset && matched < end) rows.push(row)
    matched++
  }
  return { rows, total: matched }
}

function selectSorted(shelves: readonly Shelf[], query: ListQuery, keep: RowTest | undefined): Selection {
  const { offset = 0, limit, order = [] } = query
  const top = createTop(offset + limit, rowOrder(order))
  let total = 0
  for (const shelf of shelves) {
    for (const row of shelf.rows.values()) {
      if (keep && !keep(row)) continue
      total++
      top.offer(row)
    }
  }
  return { rows: top.rows().slice(offset), total }
}

type RowComparison = (a: Row, b: Row) => number

/**
 * Compares rows by the criteria of the query, then by scope and key, which makes the order total. Without criteria the
 * key comes first.
 */
function rowOrder(order: readonly Order[]): RowComparison {
  const criteria = order.length > 0 ? order.map(criterion) : [compareKeys]
  const comparisons = [...criteria, compareScopes, compareKeys]
  return (a, b) => {
    for (const compare of comparisons) {
      const difference = compare(a, b)
      if (difference !== 0) return difference
    }
    return 0
  }
}

const compareKeys: RowComparison = (a, b) => compareCodePoints(a.document.key, b.document.key)
const compareScopes: RowComparison = (a, b) => compareCodePoints(a.document.scope, b.document.scope)

function criterion({ field, type, descending }: Order): RowComparison {
  const sign = descending ? -1 : 1
  return (a, b) => sign * compareValues(sortable(a, field, type), sortable(b, field, type))
}

/** Returns the value that a row is sorted by. A value of another type than the criterion's counts as missing. */
function sortable(row: Row, field: string, type: Order['type']): string | number | undefined {
  const value = fieldOf(row, field)
  if (type === 'text') return typeof value === 'string' ? value : undefined
  return typeof value === 'number' ? value : undefined
}

function compareValues(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return Number(a) - Number(b)
}

/**
 * Collects the first `size` rows in order. Most rows of a long list cost one comparison, with the worst row that is
 * collected.
 */
function createTop(size: number, compare: RowComparison) {
  let kept: Row[] = []
  // Truncates seldom: one sort of twice the page is cheaper than inserting each row at its position.
  const slack = Math.max(size, 256)
  let last: Row | undefined
  const cut = () => {
    kept = kept.sort(compare).slice(0, size)
    last = kept.at(-1)
  }
  return {
    offer(row: Row) {
      if (size === 0 || (last && compare(row, last) >= 0)) return
      kept.push(row)
      if (kept.length >= size + slack) cut()
    },
    rows() {
      cut()
      return kept
    },
  }
}
