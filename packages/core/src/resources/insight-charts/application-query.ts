import * as v from 'valibot'
import { commaList } from '../../operation/schema.ts'

/**
 * Query parameters that select applications. The specification does not define them. The singular is the parameter of
 * the reference API; the plural is the property of insight groups
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 */
export const applicationQuery = {
  applicationKey: v.optional(commaList(), []),
  applicationKeys: v.optional(commaList(), []),
}

/** Returns the selected applications, each once; undefined for all, also when a parameter is empty. */
export function selectedApplications(query: {
  readonly applicationKey: readonly string[]
  readonly applicationKeys: readonly string[]
}): readonly string[] | undefined {
  const selected = new Set([...query.applicationKey, ...query.applicationKeys])
  return selected.size > 0 ? [...selected] : undefined
}
