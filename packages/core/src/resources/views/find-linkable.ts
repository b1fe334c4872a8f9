import type { Context } from '../../operation/context.ts'
import type { Condition } from '../../storage/port.ts'
import type { Row, Writer } from '../../storage/unit-of-work.ts'
import { type EnvironmentId, environmentIds } from '../environments/environment.ts'
import { flags } from '../flags/flag.ts'
import { projects } from '../projects/project.ts'
import { segments } from '../segments/segment.ts'
import { flagsInViews, segmentsInViews } from './in-views.ts'
import { linkFaults } from './link-faults.ts'
import type { Linkable, LinkKind } from './link-kind.ts'
import type { FailedResource, LinkRequest } from './link-wire.ts'
import { type View, type ViewKeys, views } from './view.ts'

/** Most things that one request may link: one commit writes two documents for each. */
export const mostMatched = 20_000

export type LinkContext = Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>

/** What a request is about. */
export interface Found {
  readonly view: View
  /** Each once. */
  readonly things: readonly Linkable[]
  readonly failed: readonly FailedResource[]
}

/**
 * Finds the view of a request and the things that it names or matches. Project and environments must be the same when
 * the unit commits, or a link could outlive them.
 *
 * @throws ApiError `invalid_request` naming every part of the request that is wrong; `not_found` without the view.
 */
export async function findLinkable(
  context: LinkContext,
  kind: LinkKind,
  keys: ViewKeys,
  request: LinkRequest,
): Promise<Found> {
  const { tx, fail } = context
  const filter = request.filter === undefined ? undefined : kind.readFilter(request.filter)
  const errors = linkFaults(kind, request, filter)
  if (errors.length > 0) fail('invalid_request', { errors })
  const { projectKey } = keys
  const [project, view, environments] = await Promise.all([
    tx.get(projects, keys),
    tx.get(views, keys),
    findEnvironments(context, projectKey, request),
  ])
  if (!project || !view) return fail('not_found')
  tx.expect(projects, keys, project)
  const found =
    kind.type === 'flag'
      ? await findFlags(context, projectKey, request, filter?.conditions)
      : await findSegments(context, projectKey, request, filter?.conditions, environments)
  return { view, ...found }
}

type Matched = Pick<Found, 'things' | 'failed'>

/** Named and matched flags in one question. */
async function findFlags(
  context: LinkContext,
  projectKey: string,
  { keys = [] }: LinkRequest,
  filter: readonly Condition[] | undefined,
): Promise<Matched> {
  const named: Condition = { op: 'anyOf', field: 'key', values: keys }
  const matched = filter && (await flagsInViews(context, projectKey, filter))
  const where: Condition = matched ? { op: 'or', any: [named, { op: 'and', all: matched }] } : named
  const { items, total } = await context.tx.listRows(flags, { projectKey }, { where: [where], limit: mostMatched })
  refuseTooMany(context, total)
  const there = new Set(items.map(({ key }) => key))
  const missing = [...new Set(keys)].filter((key) => !there.has(key))
  return {
    things: items.map(({ key, version }) => ({ resourceKey: key, version })),
    failed: missing.map((key) => failure('flag', key, 'The project has no flag with this key')),
  }
}

/** Named segments of any environments, and those of one environment that a filter matches. */
async function findSegments(
  context: LinkContext,
  projectKey: string,
  { segmentIdentifiers = [], environmentId = '' }: LinkRequest,
  filter: readonly Condition[] | undefined,
  environments: ReadonlyMap<string, string>,
): Promise<Matched> {
  const [named, matched] = await Promise.all([
    context.tx.getMany(
      segments,
      segmentIdentifiers.map(({ environmentId: id, segmentKey }) => ({
        projectKey,
        environmentKey: environments.get(id) ?? '',
        segmentKey,
      })),
    ),
    filter ? matchSegments(context, projectKey, environments.get(environmentId), filter) : [],
  ])
  const things = new Map<string, Linkable>()
  const failed = new Map<string, FailedResource>()
  for (const [at, { environmentId: id, segmentKey }] of segmentIdentifiers.entries()) {
    const environmentKey = environments.get(id)
    const segment = named[at]
    const name = `${id}/${segmentKey}`
    if (environmentKey !== undefined && segment) things.set(name, linkable(id, environmentKey, segment))
    else failed.set(name, failure('segment', segmentKey, whatIsMissing(environmentKey), id))
  }
  for (const row of matched) {
    things.set(`${environmentId}/${row.key}`, linkable(environmentId, environments.get(environmentId) ?? '', row))
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

/** The keys of the environments that a request names by their ids; those that are not there are left out. */
async function findEnvironments(
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

function failure(
  resourceType: FailedResource['resourceType'],
  resourceKey: string,
  errorMessage: string,
  environmentId?: string,
): FailedResource {
  return { resourceKey, ...(environmentId === undefined ? {} : { environmentId }), resourceType, errorMessage }
}

function refuseTooMany({ fail }: LinkContext, total: number): void {
  if (total <= mostMatched) return
  fail('invalid_request', {
    errors: [{ attribute: 'filter', reason: `must match at most ${mostMatched}, not ${total}` }],
  })
}
