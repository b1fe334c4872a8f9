import { type EnvironmentId, environmentIds } from '../../models/environments/environment.ts'
import { segments } from '../../models/segments/segment.ts'
import type { ViewKeys } from '../../models/views/view.ts'
import type { Condition } from '../../storage/port.ts'
import type { Row } from '../../storage/reader.ts'
import { segmentsInViews } from '../view-filters/in-views.ts'
import { knownLinks } from './known-links.ts'
import type { Linkable, LinkKind } from './link-kind.ts'
import type { FailedResource, LinkRequest } from './link-wire.ts'
import { type LinkContext, type Matched, mostMatched, refuseTooMany } from './matched.ts'

/**
 * Returns the keys of the environments that a request names by id, without unknown ones. The commit requires that they
 * still exist.
 */
export async function findEnvironments(
  { tx }: LinkContext,
  projectKey: string,
  { segmentIdentifiers = [], environmentId }: LinkRequest,
): Promise<ReadonlyMap<string, string>> {
  const named = segmentIdentifiers.map((one) => one.environmentId)
  const ids = [...new Set(environmentId === undefined ? named : [...named, environmentId])]
  const found = await tx.getMany(
    environmentIds,
    ids.map((id) => ({ projectKey, environmentId: id })),
  )
  const there = ids.flatMap((id, at): [string, EnvironmentId][] => (found[at] ? [[id, found[at]]] : []))
  for (const [id, seen] of there) tx.expect(environmentIds, { projectKey, environmentId: id }, seen)
  return new Map(there.map(([id, { environmentKey }]) => [id, environmentKey]))
}

/** Finds named segments of any environments, and the segments of one environment that match a filter. */
export async function findSegments(
  context: LinkContext,
  kind: LinkKind,
  keys: ViewKeys,
  { segmentIdentifiers = [], environmentId = '' }: LinkRequest,
  filter: readonly Condition[] | undefined,
  environments: ReadonlyMap<string, string>,
): Promise<Matched> {
  const { projectKey } = keys
  const places = segmentIdentifiers.map(({ environmentId: id, segmentKey }) => ({
    environmentKey: environments.get(id) ?? '',
    resourceKey: segmentKey,
  }))
  const environmentKey = environments.get(environmentId)
  const matched = filter ? await matchSegments(context, projectKey, environmentKey, filter) : []
  const matches = matched.map(({ key }) => ({ environmentKey, resourceKey: key }))
  const [named] = await Promise.all([
    context.tx.getMany(
      segments,
      places.map((place) => ({ projectKey, environmentKey: place.environmentKey, segmentKey: place.resourceKey })),
    ),
    // Reads the links in advance, in the same round of requests, because most of the named segments exist.
    knownLinks(context.tx, kind, keys, [...places, ...matches]),
  ])
  const things = new Map<string, Linkable>()
  const failed = new Map<string, FailedResource>()
  for (const [at, { environmentId: id, segmentKey }] of segmentIdentifiers.entries()) {
    const place = environments.get(id)
    const segment = named[at]
    const name = `${id}/${segmentKey}`
    if (place !== undefined && segment) things.set(name, linkable(id, place, segment))
    else {
      const errorMessage = whatIsMissing(place)
      failed.set(name, { resourceKey: segmentKey, environmentId: id, resourceType: 'segment', errorMessage })
    }
  }
  for (const row of matched) {
    things.set(`${environmentId}/${row.key}`, linkable(environmentId, environmentKey ?? '', row))
  }
  return { things: [...things.values()], failed: [...failed.values()] }
}

async function matchSegments(
  context: LinkContext,
  projectKey: string,
  environmentKey: string | undefined,
  filter: readonly Condition[],
): Promise<readonly Row[]> {
  if (environmentKey === undefined) {
    const reason = 'must be the id of an environment of the project'
    return context.fail('invalid_request', { errors: [{ attribute: 'environmentId', reason }] })
  }
  const place = { projectKey, environmentKey }
  const where = await segmentsInViews(context, place, filter)
  const { items, total } = await context.tx.listRows(segments, place, { where, limit: mostMatched })
  refuseTooMany(context, total)
  return items
}

function linkable(
  environmentId: string,
  environmentKey: string,
  { key, version }: { readonly key: string; readonly version: number },
): Linkable {
  return { resourceKey: key, environmentId, environmentKey, version }
}

function whatIsMissing(environmentKey: string | undefined): string {
  return environmentKey === undefined
    ? 'The project has no environment with this id'
    : 'The environment has no segment with this key'
}
