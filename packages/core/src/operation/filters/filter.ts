import * as v from 'valibot'
import { describeFilterError, type FilterError } from '../../rules/filter/cursor.ts'
import type { Condition } from '../../storage/port.ts'

/** What a filter means for a list, or everything that is wrong with it. */
export interface FilterReading {
  readonly conditions: readonly Condition[]
  readonly faults: readonly FilterError[]
}

export type ReadFilter = (text: string) => FilterReading

/** `filter` in a query or a body: the conditions that it stands for; each fault names its column. */
export const filter = (read: ReadFilter) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): readonly Condition[] => {
      const { conditions, faults } = read(dataset.value)
      for (const fault of faults) addIssue({ message: describeFilterError(fault) })
      return faults.length > 0 ? NEVER : conditions
    }),
  )
