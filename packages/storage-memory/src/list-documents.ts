import {
  compareCodePoints,
  type DocumentPage,
  foldAscii,
  type ListedDocument,
  type ListQuery,
  type Order,
} from '@halyard/core/storage'
import { allOf, fieldOf, type RowTest } from './conditions.ts'
import { type Bucket, bucketKeys, type Documents } from './documents.ts'
import type { Row } from './row.ts'

/** The rows of a page, and the number of matches without limit and offset (exact only when the query counts). */
interface Selection {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Returns one page of a collection, in a total order. */
export function listDocuments(documents: Documents, query: ListQuery): DocumentPage {
  const buckets = bucketsOf(documents, query)
  const matches = query.where?.length ? allOf(query.where) : undefined
  const [first] = query.order ?? []
  const [bucket] = buckets
  // The keys of one bucket are distinct and sorted, so no criterion after the key can matter and nothing has to be
  // sorted.
  const byKey = bucket !== undefined && buckets.length === 1 && (first === undefined || first.field === 'key')
  const { rows, total } = byKey
    ? selectByKey(bucket, query, matches, first?.descending === true)
    : selectSorted(buckets, query, matches)
  return { items: rows.map((row) => listedDocument(row, query.select)), total: query.count ? total : undefined }
}

function bucketsOf(documents: Documents, { collection, scope, deep }: ListQuery): readonly Bucket[] {
  if (deep) return documents.under(collection, scope)
  const bucket = documents.find(collection, scope)
  return bucket ? [bucket] : []
}

function listedDocument({ document, fields }: Row, select: ListQuery['select']): ListedDocument {
  const { key, scope, version, body } = document
  return { key, scope, version, fields, body: select === 'bodies' ? body : undefined }
}

function selectByKey(bucket: Bucket, query: ListQuery, matches: RowTest | undefined, descending: boolean): Selection {
  const { offset = 0, limit, count } = query
  const end = offset + limit
  const keys = bucketKeys(bucket)
  const rowAt = (i: number) => bucket.rows.get(keys[descending ? keys.length - 1 - i : i]!)!
  const rows: Row[] = []
  if (!matches) {
    for (let i = offset; i < Math.min(end, keys.length); i++) rows.push(rowAt(i))
    return { rows, total: keys.length }
  }
  let matched = 0
  for (let i = 0; i < keys.length && (count || matched < end); i++) {
    const row = rowAt(i)
    if (!matches(row)) continue
    if (matched >= offset && matched < end) rows.push(row)
    matched++
  }
  return { rows, total: matched }
}

function selectSorted(buckets: readonly Bucket[], query: ListQuery, matches: RowTest | undefined): Selection {
  const { offset = 0, limit, order = [] } = query
  const top = createTopRows(offset + limit, comparisonOf(order))
  const valuesOf = sortValues(order)
  let total = 0
  for (const bucket of buckets) {
    for (const row of bucket.rows.values()) {
      if (matches && !matches(row)) continue
      total++
      top.offer({ row, values: valuesOf(row) })
    }
  }
  return { rows: top.rows().slice(offset), total }
}

/** A row with the values that it is sorted by, which are read once and compared often. */
interface SortedRow {
  readonly row: Row
  readonly values: readonly SortValue[]
}

type SortValue = string | number | undefined

type RowComparison = (a: SortedRow, b: SortedRow) => number

/** Returns a function that reads the values of a row for all criteria. */
function sortValues(order: readonly Order[]): (row: Row) => readonly SortValue[] {
  return (row) => order.map((criterion) => sortValue(row, criterion))
}

/** Returns the value that a row is sorted by. A value of another type than the criterion's counts as missing. */
function sortValue(row: Row, { field, type, ignoreCase }: Order): SortValue {
  const value = fieldOf(row, field)
  if (type === 'text') return typeof value !== 'string' ? undefined : ignoreCase ? foldAscii(value) : value
  return typeof value === 'number' ? value : undefined
}

/**
 * Compares rows by the criteria of the query, then by scope and key, which makes the order total. Without criteria the
 * key comes first.
 */
function comparisonOf(order: readonly Order[]): RowComparison {
  const signs = order.map(({ descending }) => (descending ? -1 : 1))
  return (a, b) => {
    for (let i = 0; i < signs.length; i++) {
      const difference = compareValues(a.values[i], b.values[i])
      if (difference !== 0) return signs[i]! * difference
    }
    const [left, right] = [a.row.document, b.row.document]
    const byKey = () => compareCodePoints(left.key, right.key)
    return (order.length === 0 && byKey()) || compareCodePoints(left.scope, right.scope) || byKey()
  }
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return Number(a) - Number(b)
}

/**
 * Collects the first `size` rows in order. Most rows of a long list cost one comparison, with the worst row that is
 * collected.
 */
function createTopRows(size: number, compare: RowComparison) {
  let best: SortedRow[] = []
  // Truncates seldom: one sort of twice the page is cheaper than inserting each row at its position.
  const slack = Math.max(size, 256)
  let worst: SortedRow | undefined
  const truncate = () => {
    best = best.sort(compare).slice(0, size)
    worst = best.at(-1)
  }
  return {
    offer(row: SortedRow) {
      if (size === 0 || (worst && compare(row, worst) >= 0)) return
      best.push(row)
      if (best.length >= size + slack) truncate()
    },
    rows() {
      truncate()
      return best.map(({ row }) => row)
    },
  }
}
