import { foldAscii } from '../../code-point-order.ts'
import type { Condition } from '../../port.ts'
import type { Row } from '../row.ts'
import { fieldOf } from '../row-conditions.ts'
import type { RowIndex, RowTerms } from './row-index.ts'

/** A lookup in an index for a condition. It returns all rows that meet the condition, and possibly others. */
export interface RowLookup {
  /** Identifies the terms of the index. */
  readonly index: string
  readonly termsOf: RowTerms
  /** Returns terms. A matching row has at least one of them. */
  terms(index: RowIndex): readonly string[]
}

/** Number of letters of a term of a text. */
const letters = 3

/** Returns the lookups for a list of conditions that must all be met. Conditions without texts have no lookup. */
export function lookupsOf(conditions: readonly Condition[]): RowLookup[] {
  return conditions.flatMap((condition) => {
    switch (condition.op) {
      case 'and':
        return lookupsOf(condition.all)
      case 'equals':
        return byValues(condition.field, [condition.value])
      case 'anyOf':
        return byValues(condition.field, condition.values)
      case 'contains':
        return byText(condition.in, foldAscii(condition.text))
      default:
        return []
    }
  })
}

/** Maximum number of values that are looked up one by one. With more values, the rows are examined in steps. */
const maxValues = 1_000

/**
 * Returns the keys of all documents that may meet a list of conditions; undefined when the conditions do not limit the
 * keys, or allow so many that rows are examined in steps.
 */
export function keysOf(conditions: readonly Condition[]): readonly string[] | undefined {
  for (const condition of conditions) {
    const keys = condition.op === 'and' ? keysOf(condition.all) : keysIn(condition)
    if (keys) return keys
  }
  return undefined
}

function keysIn(condition: Condition): readonly string[] | undefined {
  if (condition.op === 'anyOf' && condition.field === 'key')
    return condition.values.length > maxValues ? undefined : condition.values.map(String)
  return condition.op === 'equals' && condition.field === 'key' ? [String(condition.value)] : undefined
}

function byValues(field: string, values: readonly unknown[]): RowLookup[] {
  if (values.length > maxValues || !values.every((value) => typeof value === 'string')) return []
  return [{ index: `=${field}`, termsOf: (row) => textsOf(row, field), terms: () => values }]
}

function byText(fields: readonly string[], folded: string): RowLookup[] {
  const sought = termsOfText(folded)
  if (sought.length === 0) return []
  return [
    {
      index: `~${fields.join()}`,
      termsOf: (row) => fields.flatMap((field) => textsOf(row, field).flatMap((text) => termsOfText(foldAscii(text)))),
      terms: (index) => [sought.reduce((rarest, term) => (index.count(term) < index.count(rarest) ? term : rarest))],
    },
  ]
}

/** Returns the texts of a field: its value, or the elements of its list. */
function textsOf(row: Row, field: string): readonly string[] {
  const value = fieldOf(row, field)
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? value : []
}

/** Returns each sequence of three letters of a text. */
function termsOfText(text: string): string[] {
  const terms: string[] = []
  for (let i = 0; i + letters <= text.length; i++) terms.push(text.slice(i, i + letters))
  return terms
}
