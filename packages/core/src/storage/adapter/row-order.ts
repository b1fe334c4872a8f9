import { compareCodePoints, foldAscii } from '../code-point-order.ts'
import type { Order } from '../port.ts'
import type { Row } from './row.ts'
import { fieldOf } from './row-conditions.ts'

/** A row with the values by which it is sorted, which are read once and compared often. */
export interface SortedRow {
  readonly row: Row
  readonly values: readonly SortValue[]
}

type SortValue = string | number | undefined

/** The order of a list. */
export interface RowOrder {
  /** Reads the values of a row that the order needs. */
  readonly read: (row: Row) => SortedRow
  /** Compares two rows; different rows are never equal. */
  readonly compare: (a: SortedRow, b: SortedRow) => number
}

/**
 * Returns the order by the criteria of a query, then by scope and key, so that no two rows are equal. Without criteria,
 * rows are sorted by key, then scope.
 */
export function rowOrder(criteria: readonly Order[]): RowOrder {
  const signs = criteria.map(({ descending }) => (descending ? -1 : 1))
  return {
    read: (row) => ({ row, values: criteria.map((criterion) => sortValue(row, criterion)) }),
    compare(a, b) {
      for (let i = 0; i < signs.length; i++) {
        const difference = compareValues(a.values[i], b.values[i])
        if (difference !== 0) return signs[i]! * difference
      }
      const [left, right] = [a.row.document, b.row.document]
      const byKey = () => compareCodePoints(left.key, right.key)
      return (signs.length === 0 && byKey()) || compareCodePoints(left.scope, right.scope) || byKey()
    },
  }
}

/** Returns the value by which a row is sorted. A value of another type than the criterion's counts as missing. */
function sortValue(row: Row, { field, type, ignoreCase }: Order): SortValue {
  const value = fieldOf(row, field)
  if (type === 'text') return typeof value !== 'string' ? undefined : ignoreCase ? foldAscii(value) : value
  if (type === 'texts') return Array.isArray(value) && value.length > 0 ? value.join(',') : undefined
  if (type === 'boolean') return typeof value === 'boolean' ? Number(value) : undefined
  return typeof value === 'number' ? value : undefined
}

function compareValues(a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return Number(a) - Number(b)
}
