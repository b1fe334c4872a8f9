import type { ValidationError } from '../../operation/errors.ts'
import type { FilterResult } from '../../operation/filters/filter.ts'
import { describeFilterError } from '../../rules/filter/cursor.ts'
import type { LinkKind } from './link-kind.ts'
import type { LinkRequest } from './link-schema.ts'

/**
 * Returns the errors of a request for resources of this kind. Its schema has already checked the rules for all kinds.
 */
export function validateLinkRequest(
  { type }: LinkKind,
  request: LinkRequest,
  filter: FilterResult | undefined,
): ValidationError[] {
  const errors: ValidationError[] = []
  if (type === 'flag' && request.segmentIdentifiers) {
    errors.push({ attribute: 'segmentIdentifiers', reason: 'is for segments; flags are named by keys' })
  }
  if (type === 'segment' && request.keys) {
    errors.push({ attribute: 'keys', reason: 'is for flags; segments are named by segmentIdentifiers' })
  }
  if (type === 'segment' && request.filter !== undefined && request.environmentId === undefined) {
    errors.push({ attribute: 'environmentId', reason: 'must be present when a filter selects segments' })
  }
  for (const error of filter?.filterErrors ?? [])
    errors.push({ attribute: 'filter', reason: describeFilterError(error) })
  return errors
}
