import type { Fault } from '../../operation/errors.ts'
import type { FilterReading } from '../../operation/filters/filter.ts'
import { describeFilterError } from '../../rules/filter/cursor.ts'
import type { LinkKind } from './link-kind.ts'
import type { LinkRequest } from './link-schema.ts'

/**
 * Returns the errors of a request for resources of this kind. Its schema has already checked the rules for all kinds.
 */
export function validateLinkRequest(
  { type }: LinkKind,
  request: LinkRequest,
  filter: FilterReading | undefined,
): Fault[] {
  const errors: Fault[] = []
  if (type === 'flag' && request.segmentIdentifiers) {
    errors.push({ attribute: 'segmentIdentifiers', reason: 'is for segments; flags are named by keys' })
  }
  if (type === 'segment' && request.keys) {
    errors.push({ attribute: 'keys', reason: 'is for flags; segments are named by segmentIdentifiers' })
  }
  if (type === 'segment' && request.filter !== undefined && request.environmentId === undefined) {
    errors.push({ attribute: 'environmentId', reason: 'must be present when a filter selects segments' })
  }
  for (const fault of filter?.faults ?? []) errors.push({ attribute: 'filter', reason: describeFilterError(fault) })
  return errors
}
