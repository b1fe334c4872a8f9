import type { FilterError } from '../../rules/filter/cursor.ts'
import {
  type Comparison,
  parseQueryFilter,
  type QueryFilter,
  type QueryOperator,
} from '../../rules/filter/query-filter.ts'
import type { Condition } from '../../storage/port.ts'
import type { FilterResult } from './filter.ts'

/** Returns the condition for a comparison with these values, or a text that describes the values allowed. */
export type CompareField = (values: readonly [string, ...string[]]) => Condition | string

/** The operators that a field of a query filter supports. */
export type FieldOperators = Readonly<Partial<Record<QueryOperator, CompareField>>>

/** The operators that each field of a query filter supports. */
export type QueryFields = Readonly<Record<string, FieldOperators>>

/** Returns the operators of a field whose name is not in the list of fields; undefined for an unknown field. */
export type OtherFields = (field: string) => FieldOperators | undefined

/**
 * Parses a query filter on these fields, such as `(tags anyOf ["web"] | unbounded equals true), query equals "beta"`.
 *
 * @param otherFields fields whose names are not known in advance. Default: no such fields.
 */
export function queryConditions(
  text: string,
  fields: QueryFields,
  otherFields: OtherFields = () => undefined,
): FilterResult {
  if (text.trim() === '') return { conditions: [], filterErrors: [] }
  const parsed = parseQueryFilter(text)
  if (!parsed.ok) return { conditions: [], filterErrors: [parsed.error] }
  const filterErrors: FilterError[] = []
  const condition = conditionOf(parsed.filter, { fields, otherFields }, filterErrors)
  return { conditions: [condition], filterErrors }
}

const nothing: Condition = { op: 'or', any: [] }

interface AllFields {
  readonly fields: QueryFields
  readonly otherFields: OtherFields
}

function conditionOf(filter: QueryFilter, fields: AllFields, filterErrors: FilterError[]): Condition {
  switch (filter.kind) {
    case 'and':
      return { op: 'and', all: filter.all.map((part) => conditionOf(part, fields, filterErrors)) }
    case 'or':
      return { op: 'or', any: filter.any.map((part) => conditionOf(part, fields, filterErrors)) }
    case 'comparison': {
      const result = readComparison(filter, fields)
      if ('op' in result) return result
      filterErrors.push(result)
      return nothing
    }
  }
}

function readComparison(
  { field, operator, values, columns }: Comparison,
  { fields, otherFields }: AllFields,
): Condition | FilterError {
  const operators = Object.hasOwn(fields, field) ? fields[field] : otherFields(field)
  if (!operators) return { column: columns.field, expected: describeAllowed(Object.keys(fields)) }
  const compare = operators[operator]
  if (!compare) return { column: columns.operator, expected: describeAllowed(Object.keys(operators)) }
  const condition = compare(values as readonly [string, ...string[]])
  return typeof condition === 'string' ? { column: columns.value, expected: condition } : condition
}

/**
 * `field anyOf [a, b]` and `field equals a`: the stored value is one of them, or the stored list contains one of them.
 */
export const oneOf =
  (field: string): CompareField =>
  (values) => ({ op: 'anyOf', field, values })

/** The same conditions as `oneOf`, for a field that allows only a few words. */
export const oneOfWords =
  (field: string, allowedWords: readonly string[]): CompareField =>
  (values) =>
    values.every((value) => allowedWords.includes(value))
      ? { op: 'anyOf', field, values }
      : describeAllowed(allowedWords)

/** `field equals words`: one of the stored texts contains the words, ignoring case. */
export const hasWords =
  (...fields: readonly string[]): CompareField =>
  ([text]) => ({ op: 'contains', in: fields, text })

/** `field equals true`, `field exists false`: a condition for each of the two values. */
export const trueOrFalse =
  (conditionFor: (value: boolean) => Condition): CompareField =>
  ([text]) =>
    text === 'true' || text === 'false' ? conditionFor(text === 'true') : 'true or false'

function describeAllowed(words: readonly string[]): string {
  return words.length === 1 ? words.join() : `one of ${words.join(', ')}`
}
