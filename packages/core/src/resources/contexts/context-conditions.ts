import type { FilterResult } from '../../operation/filters/filter.ts'
import {
  type CompareField,
  type FieldOperators,
  hasWords,
  oneOf,
  type QueryFields,
  queryConditions,
  trueOrFalse,
} from '../../operation/filters/query-conditions.ts'
import type { Condition } from '../../storage/port.ts'

const otherThan =
  (field: string): CompareField =>
  (values) => ({ op: 'not', condition: { op: 'anyOf', field, values } })

/** Matches a line that begins with a text: the stored texts have a line break before each line. */
const beginsWith =
  (field: string): CompareField =>
  ([text]) => ({ op: 'contains', in: [field], text: `\n${text}` })

const exact = (field: string): FieldOperators => ({
  equals: oneOf(field),
  anyOf: oneOf(field),
  notEquals: otherThan(field),
})

const lines = (field: string): FieldOperators => ({ contains: hasWords(field), startsWith: beginsWith(field) })

const fields: QueryFields = {
  kind: exact('kinds'),
  kinds: exact('kinds'),
  key: { ...exact('keys'), ...lines('keyLines') },
  kindKey: exact('kindKeys'),
  kindKeys: exact('kindKeys'),
  name: { ...exact('names'), ...lines('nameLines') },
  query: { equals: hasWords('keyLines', 'nameLines') },
}

/**
 * Reads a filter of contexts: comparisons joined by `,` (and), `|` (or) and parentheses.
 *
 * - `kind equals user`, `key startsWith ann`, `name contains "smith"`, `kindKeys anyOf ["user:ann"]`
 * - attributes by their kind: `user.country anyOf ["de", "at"]`, `user.email exists true`
 */
export function contextConditions(text: string): FilterResult {
  return queryConditions(text, fields, attributeOperators)
}

/** Values of attributes are compared as texts. Each element of a list is a value. */
function attributeOperators(field: string): FieldOperators | undefined {
  if (!/^[\w-]+\..+/.test(field)) return undefined
  const compare = (values: readonly string[]): Condition => ({
    op: 'anyOf',
    field: 'attributes',
    values: values.map((value) => `${field}=${value}`),
  })
  const hasName: Condition = { op: 'equals', field: 'attributeNames', value: field }
  return {
    equals: compare,
    anyOf: compare,
    notEquals: (values) => ({ op: 'not', condition: compare(values) }),
    exists: trueOrFalse((value) => (value ? hasName : { op: 'not', condition: hasName })),
  }
}
