import type { Order } from '@halyard/core/storage'
import type { Bind } from '../statements/bind.ts'
import { joinedTexts, typedField } from './conditions.ts'

/** A column that a list is sorted by. */
export interface SortTerm {
  readonly column: string
  readonly descending: boolean
  /** True when the column can be null, which sorts before every value. */
  readonly hasNulls: boolean
}

/**
 * Fields for which an index contains the documents of a list in order. Another such index is for `name` in lower case.
 */
const orderedFields: ReadonlySet<string> = new Set(['key', 'createdAt'])

/** Returns true when an index has the documents of a list in this order. */
export function hasIndex([first, ...others]: readonly Order[]): boolean {
  if (!first) return true
  if (others.length > 0) return false
  return orderedFields.has(first.field) || (first.field === 'name' && first.ignoreCase === true)
}

/** Returns the order of a list as SQL; reversed, it is the order in which the list is read from its end. */
export function orderSql(terms: readonly SortTerm[], isReversed = false): string {
  return terms
    .map(({ column, descending, hasNulls }) => {
      const isDescending = descending !== isReversed
      const nulls = isDescending ? ' nulls last' : ' nulls first'
      return `${column} ${isDescending ? 'desc' : 'asc'}${hasNulls ? nulls : ''}`
    })
    .join(', ')
}

/**
 * Returns the columns and terms that a list is sorted by. The sort values are also selected, under separate names,
 * because a page that is joined to its total is sorted by them again.
 */
export function sortTerms(criteria: readonly Order[], bind: Bind): { columns: string[]; terms: SortTerm[] } {
  const columns: string[] = []
  const terms = criteria.flatMap(({ field, type, descending = false, ignoreCase }, index) => {
    // The key of a document is never null, and the index of keys has another order of nulls.
    const term = (column: string): SortTerm => ({ column, descending, hasNulls: field !== 'key' })
    const byValue = term(`by${index}`)
    if (type === 'number') {
      columns.push(`(${typedField(field, 'number', bind)})::float8 as by${index}`)
      return [byValue]
    }
    if (type === 'texts') {
      columns.push(`${joinedTexts(field, bind)} as by${index}`)
      return [byValue]
    }
    // `false` also sorts before `true` as text.
    const folds = ignoreCase && type === 'text'
    const value = folds ? foldedField(field, bind) : typedField(field, type === 'text' ? 'string' : type, bind)
    columns.push(`${value} as by${index}`)
    if (!folds) return [byValue]
    // An index contains the first 100 characters of lower-case names. Sorting by them first does not change the order.
    columns.push(`left(${value}, 100) as start${index}`)
    return [term(`start${index}`), byValue]
  })
  const byKey: SortTerm = { column: 'key', descending: false, hasNulls: false }
  return { columns, terms: [...(terms.length > 0 ? terms : [byKey]), { ...byKey, column: 'scope' }, byKey] }
}

/** Returns a field in lower case, as SQL. With the collation "C", `lower()` changes only ASCII letters. */
function foldedField(field: string, bind: Bind): string {
  return `lower(${typedField(field, 'string', bind)})`
}
