import { type Condition, type ListQuery, wellFormed } from '@halyard/core/storage'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Bind } from '../statements/bind.ts'

/**
 * Conditions that an inverted index can answer. Each is true for all documents that meet a condition of the query, and
 * for some others, so the query tests both.
 */

/** Collections that the indexes for lists do not contain, because ingestion writes thousands of their documents. */
const unlistedCollections: readonly string[] = ['measured-unit', 'evaluation-report']

/** The condition of the indexes of lists, as SQL. A query uses such an index only when it contains the condition. */
export const listedSql = `collection not in (${unlistedCollections.map((name) => `'${name}'`).join(', ')})`

/** Fields whose text is indexed by all its parts of three characters. */
const searchedFields: ReadonlySet<string> = new Set(['key', 'name'])

/** The term of a generated key. The index has no terms for parts of such a key. */
const madeKeyTerms = `array['key~']`

/**
 * Functions that return SQL. The SQL is made only when it is used, because a statement must not have parameters that
 * its text does not contain.
 */
type LazySql = () => string

/**
 * Returns the conditions of a list that the index can answer, as SQL. The conditions of a list over several scopes
 * refer to the part `scopes` of the statement, which returns each scope of the list.
 */
export function indexedSql({ tables, account }: AccountTables, list: ListQuery, bind: Bind): string[] {
  const { documentTerms, queryHashes, trigrams } = tables
  const hashes = (terms: string) => {
    const [owner, collection] = [account, list.collection].map((part) => `${bind(part)}::text`)
    if (!list.deep) return `${queryHashes}(${owner}, ${collection}, ${bind(list.scope)}::text, ${terms})`
    return `(select array_agg(hash) from scopes, unnest(${queryHashes}(${owner}, ${collection}, scopes.scope, ${terms})) as hash)`
  }
  const ofDocument = `${documentTerms}(account, collection, scope, key, fields)`

  /** Returns undefined when the index cannot answer the condition. */
  function indexed(condition: Condition): LazySql | undefined {
    switch (condition.op) {
      case 'equals':
        return hasValue(condition.field, [condition.value])
      case 'anyOf':
        return hasValue(condition.field, condition.values)
      case 'contains':
        return anyOf(condition.in.map((field) => hasPart(field, condition.text)))
      case 'and':
        return joined(
          condition.all.flatMap((part) => indexed(part) ?? []),
          ' and ',
        )
      case 'or':
        return anyOf(condition.any.map(indexed))
      default:
        return undefined
    }
  }

  /** The index has texts and elements of lists. */
  function hasValue(field: string, fieldValues: readonly (string | number | boolean)[]): LazySql | undefined {
    const texts = fieldValues.filter((value) => typeof value === 'string')
    if (field === 'key' || texts.length < fieldValues.length) return undefined
    return () => `${ofDocument} && ${hashes(`${bind(fieldTerms(field, texts))}::text[]`)}`
  }

  function hasPart(field: string, text: string): LazySql | undefined {
    // A document has terms of its own scope only, so no document has the terms of several scopes.
    if (list.deep || !searchedFields.has(field) || [...text].length < 3) return undefined
    const parts = () => `${ofDocument} @> ${hashes(`${trigrams}(${bind(field)}::text, ${bind(text)}::text)`)}`
    return field === 'key' ? () => `(${parts()} or ${ofDocument} @> ${hashes(madeKeyTerms)})` : parts
  }

  if (unlistedCollections.includes(list.collection)) return []
  return (list.where ?? []).flatMap((condition) => indexed(condition)?.() ?? [])
}

/** Returns true when the index can answer a condition of the list. */
export function isIndexed(accountTables: AccountTables, list: ListQuery): boolean {
  return indexedSql(accountTables, list, () => '').length > 0
}

/**
 * Returns terms. A document has at least one of them when the field has one of these texts. A list that is too long for
 * the index has the empty text as its only element.
 */
export function fieldTerms(field: string, texts: readonly string[]): string[] {
  return ['', ...texts].map((text) => `${field}=${wellFormed(text)}`)
}

/**
 * Returns the search for documents that meet at least one of the conditions; undefined when the index cannot answer one
 * of them.
 */
function anyOf(conditions: readonly (LazySql | undefined)[]): LazySql | undefined {
  const known = conditions.filter((condition) => condition !== undefined)
  return known.length === conditions.length ? joined(known, ' or ') : undefined
}

function joined(conditions: readonly LazySql[], operator: string): LazySql | undefined {
  return conditions.length === 0 ? undefined : () => `(${conditions.map((condition) => condition()).join(operator)})`
}
