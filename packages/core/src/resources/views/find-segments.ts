import { type EnvironmentId, environmentIds } from '../../models/environments/environment.ts'
import { segments } from '../../models/segments/segment.ts'
import type { Condition } from '../../storage/port.ts'
import type { Row } from '../../storage/reader.ts'
import { segmentsInViews } from '../view-filters/in-views.ts'
import { existingLinks } from './existing-links.ts'
import type { Linkable, ViewLinks } from './link-kind.ts'
import type { FailedResource, LinkRequest } from './link-schema.ts'
import { type LinkContext, type MatchedResources, maxMatched, refuseTooManyMatches } from './matched-resources.ts'

/**
 * Returns the keys of the environments that a request names by id, without unknown ones. The commit requires that they
 * still exist.
 */
export async function findEnvironments(
  { tx }: LinkContext,
  projectKey: string,
  { segmentIdentifiers = [], environmentId }: LinkRequest,
): Promise<ReadonlyMap<string, string>> {
  const referencedIds = segmentIdentifiers.map((identifier) => identifier.environmentId)
  const ids = [...new Set(environmentId === undefined ? referencedIds : [...referencedIds, environmentId])]
  const documents = await tx.getMany(
    environmentIds,
    ids.map((id) => ({ projectKey, environmentId: id })),
  )
  const existing = ids.flatMap((id, index): [string, EnvironmentId][] =>
    documents[index] ? [[id, documents[index]]] : [],
  )
  for (const [id, document] of existing) tx.expect(environmentIds, { projectKey, environmentId: id }, document)
  return new Map(existing.map(([id, { environmentKey }]) => [id, environmentKey]))
}

/** A request that names or matches segments, and what was read for it. */
interface SegmentRequest {
  readonly request: LinkRequest
  /** The conditions of the filter; undefined when the request has none. */
  readonly filter: readonly Condition[] | undefined
  /** The keys of the environments of the request, by their ids. */
  readonly environments: ReadonlyMap<string, string>
}

/** Finds named segments of any environments, and the segments of one environment that match a filter. */
export async function findSegments(
  context: LinkContext,
  links: ViewLinks,
  { request: { segmentIdentifiers = [], environmentId = '' }, filter, environments }: SegmentRequest,
): Promise<MatchedResources> {
  const { projectKey } = links.keys
  const targets = segmentIdentifiers.map(({ environmentId: id, segmentKey }) => ({
    environmentKey: environments.get(id) ?? '',
    resourceKey: segmentKey,
  }))
  const environmentKey = environments.get(environmentId)
  const matched = filter ? await matchSegments(context, projectKey, { environmentKey, filter }) : []
  const matches = matched.map(({ key }) => ({ environmentKey, resourceKey: key }))
  const [namedSegments] = await Promise.all([
    context.tx.getMany(
      segments,
      targets.map((environmentKeyOfId) => ({
        projectKey,
        environmentKey: environmentKeyOfId.environmentKey,
        segmentKey: environmentKeyOfId.resourceKey,
      })),
    ),
    // The links are read in the same round of requests as the segments, because most of the named segments exist.
    existingLinks(context.tx, links, [...targets, ...matches]),
  ])
  const linkables = new Map<string, Linkable>()
  const failed = new Map<string, FailedResource>()
  for (const [index, { environmentId: id, segmentKey }] of segmentIdentifiers.entries()) {
    const environmentKeyOfId = environments.get(id)
    const segment = namedSegments[index]
    const name = `${id}/${segmentKey}`
    if (environmentKeyOfId !== undefined && segment) linkables.set(name, linkable(id, environmentKeyOfId, segment))
    else {
      const errorMessage = missingMessage(environmentKeyOfId)
      failed.set(name, { resourceKey: segmentKey, environmentId: id, resourceType: 'segment', errorMessage })
    }
  }
  for (const row of matched) {
    linkables.set(`${environmentId}/${row.key}`, linkable(environmentId, environmentKey ?? '', row))
  }
  return { linkables: [...linkables.values()], failed: [...failed.values()] }
}

/** The environment whose segments are filtered, and the conditions; the key is undefined for an unknown environment. */
interface SegmentFilter {
  readonly environmentKey: string | undefined
  readonly filter: readonly Condition[]
}

async function matchSegments(
  context: LinkContext,
  projectKey: string,
  { environmentKey, filter }: SegmentFilter,
): Promise<readonly Row[]> {
  if (environmentKey === undefined) {
    const reason = 'must be the id of an environment of the project'
    return context.fail('invalid_request', { errors: [{ attribute: 'environmentId', reason }] })
  }
  const environmentKeys = { projectKey, environmentKey }
  const where = await segmentsInViews(context, environmentKeys, filter)
  const { items, total } = await context.tx.listRows(segments, environmentKeys, { where, limit: maxMatched })
  refuseTooManyMatches(context, total)
  return items
}

function linkable(
  environmentId: string,
  environmentKey: string,
  { key, version }: { readonly key: string; readonly version: number },
): Linkable {
  return { resourceKey: key, environmentId, environmentKey, version }
}

function missingMessage(environmentKey: string | undefined): string {
  return environmentKey === undefined
    ? 'The project has no environment with this id'
    : 'The environment has no segment with this key'
}
