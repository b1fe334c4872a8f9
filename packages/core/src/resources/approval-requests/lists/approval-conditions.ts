import { environmentOf } from '../../../models/approval-requests/approval-request.ts'
import type { FilterResult } from '../../../operation/filters/filter.ts'
import {
  type CompareField,
  oneOf,
  oneOfWords,
  type QueryFields,
  queryConditions,
} from '../../../operation/filters/query-conditions.ts'
import { parse } from '../../../operation/schema.ts'
import { approvalStatuses } from '../../../rules/approval/approval-steps.ts'
import { reviewStatuses } from '../../../rules/approval/reviews.ts'
import { resourceId } from '../resource-id.ts'

/** The names of kinds of resources in filters. */
const filterableKinds = ['flag', 'segment', 'aiConfig'] as const

/** Compares the kind of the resource. Requests store the kind as it is in addresses, in lower case. */
const ofKind: CompareField = (values) => {
  const condition = oneOfWords('resourceKind', filterableKinds)(values)
  return typeof condition === 'object' && 'values' in condition
    ? { ...condition, values: condition.values.map((value) => String(value).toLowerCase()) }
    : condition
}

const equalsField =
  (field: string): CompareField =>
  ([value]) => ({ op: 'equals', field, value })

/** Text that is not the address of a resource matches nothing. */
const atResource: CompareField = ([text]) => {
  const parsed = parse(resourceId(), text)
  if (!parsed.ok) return { op: 'or', any: [] }
  const { kind, resourceKey } = parsed.value
  return {
    op: 'and',
    all: [
      { op: 'equals', field: 'resourceKind', value: kind },
      { op: 'equals', field: 'environment', value: environmentOf(parsed.value) },
      { op: 'equals', field: 'resourceKey', value: resourceKey },
    ],
  }
}

/** Filters that the indexed fields of requests support. */
const fields: QueryFields = {
  notifyMemberIds: { anyOf: oneOf('notifyMemberIds') },
  requestorId: { equals: equalsField('requestorId') },
  resourceId: { equals: atResource },
  resourceKind: { equals: ofKind },
  // Not an indexed field: see `conditionsOfReviewStatus`.
  reviewStatus: { anyOf: oneOfWords('reviewStatus', reviewStatuses) },
  status: { anyOf: oneOfWords('status', approvalStatuses) },
  projectKey: { equals: equalsField('projectKey') },
}

/**
 * Reads a filter of approval requests: comparisons joined by `,` (and), `|` (or) and parentheses.
 *
 *  - `notifyMemberIds anyOf ["5c…"]`, `requestorId equals "5c…"`, `projectKey equals web`
 *  - `resourceId equals "proj/web:env/production:flag/f"`, `resourceKind equals flag`
 *  - `reviewStatus anyOf [approved, pending]`, `status anyOf [scheduled]`
 */
export function approvalConditions(text: string): FilterResult {
  return queryConditions(text, fields)
}
