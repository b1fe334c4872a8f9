import type { FilterError } from '../../rules/filter/cursor.ts'
import {
  type Comparison,
  parseQueryFilter,
  type QueryFilter,
  type QueryOperator,
} from '../../rules/filter/query-filter.ts'
import type { Condition } from '../../storage/port.ts'
import type { FilterReading } from './filter.ts'

/** What a comparison with these values means; a text says what must stand in the place of the values. */
export type CompareField = (values: readonly [string, ...string[]]) => Condition | string

/** The operators that go with each field of a query filter. */
export type QueryFields = Readonly<Record<string, Readonly<Partial<Record<QueryOperator, CompareField>>>>>

/** Reads a query filter, such as `(tags anyOf ["web"] | unbounded equals true), query equals "beta"`, of these fields. */
export function queryConditions(text: string, fields: QueryFields): FilterReading {
  if (text.trim() === '') return { conditions: [], faults: [] }
  const parsed = parseQueryFilter(text)
  if (!parsed.ok) return { conditions: [], faults: [parsed.error] }
  const faults: FilterError[] = []
  const condition = conditionOf(parsed.filter, fields, faults)
  return { conditions: [condition], faults }
}

const nothing: Condition = { op: 'or', any: [] }

function conditionOf(filter: QueryFilter, fields: QueryFields, faults: FilterError[]): Condition {
  switch (filter.kind) {
    case 'and':
      return { op: 'and', all: filter.all.map((one) => conditionOf(one, fields, faults)) }
    case 'or':
      return { op: 'or', any: filter.any.map((one) => conditionOf(one, fields, faults)) }
    case 'comparison': {
      const read = readComparison(filter, fields)
      if ('op' in read) return read
      faults.push(read)
      return nothing
    }
  }
}

function readComparison(
  { field, operator, values, columns }: Comparison,
  fields: QueryFields,
): Condition | FilterError {
  const operators = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (!operators) return { column: columns.field, expected: oneOfThese(Object.keys(fields)) }
  const read = operators[operator]
  if (!read) return { column: columns.operator, expected: oneOfThese(Object.keys(operators)) }
  const condition = read(values as readonly [string, ...string[]])
  return typeof condition === 'string' ? { column: columns.value, expected: condition } : condition
}

/** `field anyOf [a, b]` and `field equals a`: one of them is stored; a list has one of them. */
export const oneOf =
  (field: string): CompareField =>
  (values) => ({ op: 'anyOf', field, values })

/** The same for a few words that there are. */
export const oneOfWords =
  (field: string, known: readonly string[]): CompareField =>
  (values) =>
    values.every((value) => known.includes(value)) ? { op: 'anyOf', field, values } : oneOfThese(known)

/** `field equals words`: one of the stored texts contains them, whatever their case. */
export const hasWords =
  (...fields: readonly string[]): CompareField =>
  ([text]) => ({ op: 'contains', in: fields, text })

/** `field equals true`, `field exists false`: what that means for either. */
export const trueOrFalse =
  (read: (value: boolean) => Condition): CompareField =>
  ([text]) =>
    text === 'true' || text === 'false' ? read(text === 'true') : 'true or false'

function oneOfThese(words: readonly string[]): string {
  return words.length === 1 ? words.join() : `one of ${words.join(', ')}`
}
