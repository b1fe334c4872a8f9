import * as v from 'valibot'
import { describeFilterError, type FilterError } from '../../rules/filter/cursor.ts'
import type { Condition } from '../../storage/port.ts'

/** The conditions of a filter, or all its errors. */
export interface FilterResult {
  readonly conditions: readonly Condition[]
  readonly filterErrors: readonly FilterError[]
}

export type FilterParser = (text: string) => FilterResult

/**
 * Schema of a text with a filter, in a query or a body. Its output is the conditions; each error names a column of the
 * text.
 */
export const filter = (parseFilter: FilterParser) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): readonly Condition[] => {
      const { conditions, filterErrors } = parseFilter(dataset.value)
      for (const filterError of filterErrors) addIssue({ message: describeFilterError(filterError) })
      return filterErrors.length > 0 ? NEVER : conditions
    }),
  )
