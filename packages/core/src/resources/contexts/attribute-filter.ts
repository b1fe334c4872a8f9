import * as v from 'valibot'
import { describeFilterError } from '../../rules/filter/cursor.ts'
import { type Comparison, parseQueryFilter, type QueryFilter } from '../../rules/filter/query-filter.ts'

/** A filter of the attributes of contexts. */
export interface AttributeFilter {
  /** Only attributes of contexts of this kind. Default: contexts of all kinds. */
  readonly kind?: string
  /** Only names or values that begin with this text, ignoring case. Default: all. */
  readonly startsWith?: string
}

/**
 * Schema of a filter such as `kind equals user, name startsWith "co"`.
 *
 * @param field name of the field that is compared by `startsWith`.
 */
export const attributeFilter = (field: 'name' | 'value') =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): AttributeFilter => {
      if (dataset.value.trim() === '') return {}
      const parsed = parseQueryFilter(dataset.value)
      if (!parsed.ok) {
        addIssue({ message: describeFilterError(parsed.error) })
        return NEVER
      }
      const comparisons = comparisonsOf(parsed.filter)
      const unsupported = comparisons?.find((comparison) => !isSupported(comparison, field))
      if (!comparisons || unsupported) {
        addIssue({ message: `must be "kind equals", "${field} startsWith", or both joined by ","` })
        return NEVER
      }
      return Object.fromEntries(
        comparisons.map(({ operator, values: [value] }) => [operator === 'equals' ? 'kind' : 'startsWith', value]),
      )
    }),
  )

function comparisonsOf(filter: QueryFilter): readonly Comparison[] | undefined {
  if (filter.kind === 'comparison') return [filter]
  if (filter.kind === 'or') return undefined
  const parts = filter.all.map(comparisonsOf)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

function isSupported({ field, operator }: Comparison, named: string): boolean {
  return (field === 'kind' && operator === 'equals') || (field === named && operator === 'startsWith')
}
