import type { Context } from '../../operation/context.ts'
import { filteredValues } from '../../operation/filters/filtered-values.ts'
import { anyText, type TermFields } from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** The filter field that names the environments for other fields. `filterEnvironments` handles it. */
export const environmentFields: TermFields = { filterEnv: anyText('filterEnv') }

/** Terms that `filterEnv` limits to environments, by the fields of their conditions. */
const limitedTerms: Readonly<Record<string, string>> = {
  contextKindsEvaluated: 'contextKindsEvaluated',
  evaluatedAfter: 'evaluated',
  followerId: 'followerId',
  guardedRollout: 'guardedRollout',
  segmentTargeted: 'segmentTargeted',
  status: 'status',
}

/** Terms that require `filterEnv`, because they have no meaning for all environments together. */
const requiringTerms = ['evaluated', 'segmentTargeted', 'status']

/** The environments that a filter names, and its other conditions. */
export interface FilterEnvironments {
  /** Keys of the environments; empty when the filter names no environment. */
  readonly environmentKeys: readonly string[]
  readonly conditions: readonly Condition[]
}

/**
 * Separates `filterEnv` from the other conditions on flags. Fails with `invalid_request` when a term requires it and it
 * is missing, and when it limits no other term.
 */
export function filterEnvironments(
  { fail }: Pick<Context<Reader, 'invalid_request'>, 'fail'>,
  conditions: readonly Condition[],
): FilterEnvironments {
  const refuse = (reason: string) => fail('invalid_request', { errors: [{ attribute: 'filter', reason }] })
  const environmentKeys = filteredValues(conditions, 'filterEnv').map(String)
  const terms = Object.entries(limitedTerms)
    .filter(([field]) => filteredValues(conditions, field).length > 0)
    .map(([, term]) => term)
  if (environmentKeys.length === 0) {
    const incomplete = terms.filter((term) => requiringTerms.includes(term))
    if (incomplete.length > 0) refuse(`must contain filterEnv when it contains ${incomplete.join(' or ')}`)
    return { environmentKeys, conditions }
  }
  if (terms.length === 0) {
    refuse(`must contain one of ${Object.values(limitedTerms).join(', ')} when it contains filterEnv`)
  }
  const others = conditions.filter((condition) => filteredValues([condition], 'filterEnv').length === 0)
  return { environmentKeys, conditions: others }
}
