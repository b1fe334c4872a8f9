import type { Condition, ListQuery } from '@halyard/core/storage'
import { typedField } from './conditions.ts'
import { storable } from './row-source.ts'

/**
 * Terms of documents in a full-text index, from which conditions of lists are answered. A term of the index is a term
 * of a document together with its account, collection and scope, all in hexadecimal, so that a search reads only
 * entries that one list can contain, and no text is interpreted by the query language of the index.
 *
 * The index may return too much, never too little: the statement of a list also tests the conditions themselves.
 */

/** Fields whose text is indexed by all its parts of three characters. */
const searchedFields: ReadonlySet<string> = new Set(['key', 'name'])

/**
 * Maximum number of characters of a text whose parts are in the index. A longer text has `longText` as its only part.
 */
const maxSearchedLength = 256

/** Term of a document whose key or name is too long for the index. It is found by every search for a part of a text. */
const longText = '~'

/** Maximum number of characters of a value that are part of its term. */
const maxValueLength = 100

/**
 * Maximum number of elements of a list that are terms. A longer list has an empty element, which every search finds.
 */
const maxElements = 100

/** Maximum number of values of a condition that is answered by the index. */
const maxSearchedValues = 200

/** Returns the statements that create the table of positions in a text, because a trigger cannot count. */
export function positionTable(): string[] {
  const positions = Array.from({ length: maxSearchedLength }, (_, i) => i + 1)
  return [
    `create table halyard_positions (n integer primary key)`,
    `insert into halyard_positions (n) select value from json_each('[${positions}]')`,
  ]
}

/** Returns SQL for the terms of a row of documents, separated by spaces. `row` is `new`, or a table. */
export function termsSql(row: string): string {
  const name = typedField('name', 'text').text.replaceAll('fields', `${row}.fields`)
  const parts = `select lower(substr(t.value, p.n, 3)) as term
    from json_each(json_array(${row}.key, ${name})) t
    cross join halyard_positions p on p.n <= length(t.value) - 2
    where length(t.value) <= ${maxSearchedLength}`
  const long = `select '${longText}' from json_each(json_array(${row}.key, ${name})) t
    where length(t.value) > ${maxSearchedLength}`
  const texts = `select f.key || '=' || substr(f.value, 1, ${maxValueLength})
    from json_each(${row}.fields) f where f.type = 'text'`
  // `json_each` reads JSON, and a plain text is not JSON, so only fields that are lists are passed to it.
  const lists = `(select f.key, f.value from json_each(${row}.fields) f where f.type = 'array') f`
  const elements = `select f.key || '=' || substr(e.value, 1, ${maxValueLength})
    from ${lists} cross join json_each(f.value) e
    where e.type = 'text' and json_array_length(f.value) <= ${maxElements}`
  const longLists = `select f.key || '=' from ${lists} where json_array_length(f.value) > ${maxElements}`
  const prefix = ['account', 'collection', 'scope'].map((column) => `hex(${row}.${column})`).join(` || 'x' || `)
  return `(select group_concat(${prefix} || 'x' || hex(term), ' ')
    from (${[parts, long, texts, elements, longLists].join(' union all ')}))`
}

/** A search, in the query language of the index; undefined when the index cannot answer the condition. */
type Search = string | undefined

/**
 * Returns the search for the documents that can meet all conditions; undefined when the index cannot answer them.
 *
 * @param scopes the scopes in which documents are found.
 */
export function searchOf(account: string, list: ListQuery, scopes: readonly string[]): Search {
  return anyOf(scopes.map((scope) => searchIn(scope, account, list)))
}

function searchIn(scope: string, account: string, list: ListQuery): Search {
  const place = [account, list.collection, scope].map(hex).join('x')
  const term = (text: string) => `${place}x${hex(text)}`

  function search(condition: Condition): Search {
    switch (condition.op) {
      case 'equals':
        return hasValue(condition.field, [condition.value])
      case 'anyOf':
        return hasValue(condition.field, condition.values)
      case 'contains':
        return condition.in.every((field) => searchedFields.has(field)) ? hasPart(condition.text) : undefined
      case 'and':
        return joined(condition.all.map(search).filter(isKnown), ' AND ')
      case 'or':
        return anyOf(condition.any.map(search))
      default:
        return undefined
    }
  }

  function hasValue(field: string, values: readonly (string | number | boolean)[]): Search {
    const texts = values.filter(isIndexable)
    if (field === 'key' || texts.length < values.length || texts.length > maxSearchedValues) return undefined
    const terms = texts.map((text) => [...text].slice(0, maxValueLength).join(''))
    return joined(
      ['', ...terms].map((text) => term(`${field}=${text}`)),
      ' OR ',
    )
  }

  function hasPart(text: string): Search {
    const characters = [...text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())]
    if (!isIndexable(text) || characters.length < 3) return undefined
    const parts = characters.slice(2, maxSearchedValues).map((_, i) => characters.slice(i, i + 3).join(''))
    const terms = [...new Set(parts)].map(term)
    return `(${term(longText)} OR ${joined(terms, ' AND ')})`
  }

  return joined((list.where ?? []).map(search).filter(isKnown), ' AND ')
}

/**
 * Returns the search for documents that meet at least one of the conditions; undefined when the index cannot answer one
 * of them.
 */
function anyOf(searches: readonly Search[]): Search {
  const known = searches.filter(isKnown)
  return known.length === searches.length ? joined(known, ' OR ') : undefined
}

function joined(searches: readonly string[], operator: string): Search {
  return searches.length === 0 ? undefined : `(${searches.join(operator)})`
}

function isKnown(search: Search): search is string {
  return search !== undefined
}

/**
 * Returns true for a text that the index can contain. Texts that are stored in another form are not in the index, so a
 * condition with such a text is tested on the rows without a search.
 */
function isIndexable(value: string | number | boolean): value is string {
  return typeof value === 'string' && storable(value) === value
}

function hex(text: string): string {
  return Array.from(new TextEncoder().encode(String(storable(text))), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
