import { type Condition, compareCodePoints, type FieldValue, foldAscii, type Order } from '@halyard/core/storage'
import type { RecordOf } from './record-store.ts'

type Row = RecordOf<'document'>

/**
 * Returns true for a document that meets a condition. A condition on a field that is missing or of another type is not
 * met.
 */
export function matches(row: Row, condition: Condition): boolean {
  switch (condition.op) {
    case 'equals':
      return valuesOf(row, condition.field).includes(condition.value)
    case 'anyOf':
      return valuesOf(row, condition.field).some((value) => (condition.values as readonly unknown[]).includes(value))
    case 'contains':
      return condition.in
        .map((field) => fieldOf(row, field))
        .some((value) => typeof value === 'string' && lowerCaseAscii(value).includes(lowerCaseAscii(condition.text)))
    case 'exists':
      return ((fieldOf(row, condition.field) ?? null) !== null) === condition.value
    case 'range': {
      const value = fieldOf(row, condition.field)
      return typeof value === 'number' && value >= (condition.from ?? -Infinity) && value < (condition.to ?? Infinity)
    }
    case 'and':
      return condition.all.every((inner) => matches(row, inner))
    case 'or':
      return condition.any.some((inner) => matches(row, inner))
    case 'not':
      return !matches(row, condition.condition)
  }
}

/** Compares rows by all criteria, by default by their keys, and then by scope and key, which makes the order total. */
export function compareRows(a: Row, b: Row, order: readonly Order[]): number {
  for (const criterion of [...(order.length > 0 ? order : byKey), ...tieBreakers]) {
    const difference = compareValues(sortable(a, criterion), sortable(b, criterion))
    if (difference !== 0) return criterion.descending ? -difference : difference
  }
  return 0
}

/** Name under which conditions read the scope of a document; no field has this name. */
const scopeField = '\0scope'
const byKey: readonly Order[] = [{ field: 'key', type: 'text' }]
const tieBreakers: readonly Order[] = [{ field: scopeField, type: 'text' }, ...byKey]

function fieldOf(row: Row, field: string): FieldValue | undefined {
  if (field === 'key') return row.id.key
  if (field === scopeField) return row.id.scope
  return Object.hasOwn(row.fields, field) ? row.fields[field] : undefined
}

function valuesOf(row: Row, field: string): readonly unknown[] {
  const value = fieldOf(row, field)
  return Array.isArray(value) ? value : [value]
}

/** Returns the value of a field; a value of another type than the criterion's counts as missing. */
function sortable(row: Row, { field, type, ignoreCase }: Order): string | number | undefined {
  const value = fieldOf(row, field)
  if (type === 'texts') return Array.isArray(value) && value.length > 0 ? value.join(',') : undefined
  if (ignoreCase && type === 'text' && typeof value === 'string') return foldAscii(value)
  if (type === 'boolean') return typeof value === 'boolean' ? Number(value) : undefined
  const expectedType = type === 'text' ? 'string' : 'number'
  return typeof value === expectedType ? (value as string | number) : undefined
}

/** Compares two values; missing values come first. */
function compareValues(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return typeof a === 'string' ? compareCodePoints(a, b as string) : a - (b as number)
}

/** Converts only ASCII letters, as the storage contract requires. */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
