import { flags } from '../../models/flags/flag.ts'
import type { Condition } from '../../storage/port.ts'
import { lookUpConditions } from '../flags/looked-up-filters.ts'
import type { LinkRequest } from './link-schema.ts'
import { type LinkContext, type MatchedResources, maxMatched, refuseTooManyMatches } from './matched-resources.ts'

/** A request that names or matches flags; the filter is undefined when it has none. */
export interface FlagRequest {
  readonly request: LinkRequest
  readonly filter: readonly Condition[] | undefined
}

/** Finds named and matched flags with one storage request. */
export async function findFlags(
  context: LinkContext,
  projectKey: string,
  { request: { keys = [] }, filter }: FlagRequest,
): Promise<MatchedResources> {
  const namedKeys: Condition = { op: 'anyOf', field: 'key', values: keys }
  const matchConditions = filter && (await lookUpConditions(context, projectKey, filter))
  const where: Condition = matchConditions
    ? { op: 'or', any: [namedKeys, { op: 'and', all: matchConditions }] }
    : namedKeys
  const { items, total } = await context.tx.listRows(flags, { projectKey }, { where: [where], limit: maxMatched })
  refuseTooManyMatches(context, total)
  const existingKeys = new Set(items.map(({ key }) => key))
  const missing = [...new Set(keys)].filter((key) => !existingKeys.has(key))
  return {
    linkables: items.map(({ key, version }) => ({ resourceKey: key, version })),
    failed: missing.map((resourceKey) => ({
      resourceKey,
      resourceType: 'flag',
      errorMessage: 'The project has no flag with this key',
    })),
  }
}
