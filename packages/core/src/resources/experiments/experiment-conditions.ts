import * as v from 'valibot'
import { iterationStatuses } from '../../models/experiments/iteration.ts'
import { anyText, anyWord, type TermFields, termFilter } from '../../operation/filters/term-conditions.ts'
import { commaList, page } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { experimentQuery } from './experiment-schema.ts'

const fields: TermFields = {
  flagKey: anyText('flagKeys'),
  metricKey: anyText('metricKeys'),
  status: anyWord('statuses', iterationStatuses),
}

const lifecycleStates = ['active', 'archived'] as const

/** Query of lists of experiments. */
export const experimentListQuery = v.object({
  ...page(),
  ...experimentQuery,
  filter: termFilter(fields),
  lifecycleState: v.optional(
    v.pipe(commaList(), v.array(v.picklist(lifecycleStates, `must be one of ${lifecycleStates.join(', ')}`))),
    ['active'],
  ),
})

/** Returns the conditions of a query. */
export function experimentConditions({
  filter,
  lifecycleState,
}: Pick<v.InferOutput<typeof experimentListQuery>, 'filter' | 'lifecycleState'>): readonly Condition[] {
  const isOneState = new Set(lifecycleState).size === 1
  const value = lifecycleState[0] === 'archived'
  return isOneState ? [...filter, { op: 'equals', field: 'archived', value }] : filter
}
