import { foldAscii } from '../code-point-order.ts'
import type { Condition, FieldValue } from '../port.ts'
import type { Row } from './row.ts'

/** Tests whether a row meets a condition. */
export type RowTest = (row: Row) => boolean

/**
 * Compiles a condition to a test of rows, so that a list interprets the condition once and not for each row.
 *
 * A condition on a field that is missing, null or of another type is false, and its negation is true. There is no third
 * truth value as in SQL.
 */
function compileCondition(condition: Condition): RowTest {
  switch (condition.op) {
    case 'equals':
      return equals(condition.field, condition.value)
    case 'anyOf':
      return anyOf(condition.field, new Set(condition.values))
    case 'contains':
      return contains(condition.in, foldAscii(condition.text))
    case 'exists':
      return exists(condition.field, condition.value)
    case 'range':
      return range(condition.field, condition.from, condition.to)
    case 'and':
      return allOf(condition.all)
    case 'or': {
      const tests = condition.any.map(compileCondition)
      return (row) => tests.some((test) => test(row))
    }
    case 'not': {
      const test = compileCondition(condition.condition)
      return (row) => !test(row)
    }
  }
}

/** Returns a test that is true where all conditions are true. */
export function allOf(conditions: readonly Condition[]): RowTest {
  const tests = conditions.map(compileCondition)
  return (row) => tests.every((test) => test(row))
}

/** Returns the value that lists filter and sort by: a field of the row, or its key. */
export function fieldOf(row: Row, field: string): FieldValue | undefined {
  if (field === 'key') return row.document.key
  return Object.hasOwn(row.fields, field) ? row.fields[field] : undefined
}

function equals(field: string, expected: string | number | boolean): RowTest {
  return (row) => {
    const value = fieldOf(row, field)
    return isList(value) ? value.some((item) => item === expected) : value === expected
  }
}

function anyOf(field: string, expected: ReadonlySet<unknown>): RowTest {
  return (row) => {
    const value = fieldOf(row, field)
    return isList(value) ? value.some((item) => expected.has(item)) : expected.has(value)
  }
}

function contains(fields: readonly string[], folded: string): RowTest {
  return (row) =>
    fields.some((field) => {
      const value = fieldOf(row, field)
      return typeof value === 'string' && foldAscii(value).includes(folded)
    })
}

function exists(field: string, expected: boolean): RowTest {
  return (row) => {
    const value = fieldOf(row, field)
    return (value !== undefined && value !== null) === expected
  }
}

function range(field: string, from = -Infinity, to = Infinity): RowTest {
  return (row) => {
    const value = fieldOf(row, field)
    return typeof value === 'number' && value >= from && value < to
  }
}

function isList(value: FieldValue | undefined): value is readonly string[] {
  return typeof value === 'object' && value !== null
}
