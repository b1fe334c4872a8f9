import * as v from 'valibot'
import type { ResponseFormat } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'

/** Properties of every expiry date in a response, next to the property that names the list of its target. */
const expiryResponse = {
  _id: v.string(),
  _version: v.number(),
  expirationDate: timestamp(),
  _resourceId: v.object({
    kind: v.string(),
    projectKey: v.string(),
    environmentKey: v.string(),
    key: v.string(),
  }),
}

/** The flag or segment, in its environment, whose targets expire. */
export type TargetingResource = v.InferOutput<(typeof expiryResponse)['_resourceId']> & {
  readonly kind: 'flag' | 'segment'
}

/**
 * Returns the response schemas for expiring targets and expiring user targets. The responses to a patch also report how
 * many of its instructions succeeded.
 *
 * @param listProperty schema of the property that names the list which contains a target.
 */
export function expiringTargetResponses<const ListProperty extends v.ObjectEntries>(listProperty: ListProperty) {
  const expiringTargetsResponse = listResponse(
    v.object({ ...expiryResponse, ...listProperty, contextKind: v.string(), contextKey: v.string() }),
  )
  const expiringUserTargetsResponse = listResponse(
    v.object({ ...expiryResponse, ...listProperty, userKey: v.string() }),
  )
  return {
    expiringTargetsWire: expiringTargetsResponse,
    expiringUserTargetsWire: expiringUserTargetsResponse,
    patchedExpiringTargetsResponse: v.object({ ...expiringTargetsResponse.entries, ...instructionCounts }),
    patchedExpiringUserTargetsResponse: v.object({ ...expiringUserTargetsResponse.entries, ...instructionCounts }),
  }
}

const listResponse = <Item extends v.GenericSchema>(item: Item) => v.object({ items: list(item), _links: links() })

const instructionCounts = {
  totalInstructions: v.number(),
  successfulInstructions: v.number(),
  failedInstructions: v.number(),
  errors: list(v.object({ instructionIndex: v.number(), message: v.string() })),
}

/** A list of dates with a link to itself. */
export interface ListedTargets {
  readonly items: readonly object[]
  readonly _links: { readonly self: ReturnType<typeof linkTo> }
}

/**
 * Serializes the expiry dates of the targets of a resource, the nearest first.
 *
 * @param listName the property that names the list that contains a target.
 */
export function serializeExpiringTargets(
  format: ResponseFormat,
  resource: TargetingResource,
  targets: readonly ExpiringTarget[],
  listName: string,
): ListedTargets {
  const items = byDate(targets).map((target) => ({
    ...serializeExpiry(format, resource, target),
    [listName]: target.place,
    contextKind: target.contextKind,
    contextKey: target.contextKey,
  }))
  return { items, _links: linksOf(resource, 'expiring-targets') }
}

/** Serializes the expiry dates of the users among the targets of a resource, the nearest first. */
export function serializeExpiringUserTargets(
  format: ResponseFormat,
  resource: TargetingResource,
  targets: readonly ExpiringTarget[],
  listName: string,
): ListedTargets {
  const items = byDate(targets)
    .filter(({ contextKind }) => contextKind === userKind)
    .map((target) => ({
      ...serializeExpiry(format, resource, target),
      [listName]: target.place,
      userKey: target.contextKey,
    }))
  return { items, _links: linksOf(resource, 'expiring-user-targets') }
}

/** Serializes an expiry date, without the target and its list. */
export function serializeExpiry({ time }: ResponseFormat, _resourceId: TargetingResource, target: ExpiringTarget) {
  return { _id: target.id, _version: target.version, expirationDate: time(target.expiresAt), _resourceId }
}

function byDate(targets: readonly ExpiringTarget[]): readonly ExpiringTarget[] {
  return targets.toSorted((a, b) => a.expiresAt - b.expiresAt)
}

function linksOf({ kind, projectKey, environmentKey, key }: TargetingResource, subpath: string) {
  return { self: linkTo(path`/api/v2/${kind}s/${projectKey}/${key}/${subpath}/${environmentKey}`) }
}

/**
 * Returns the instruction counts of a successful patch, in which all instructions were applied
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
export function serializeInstructionCounts(count: number) {
  return { totalInstructions: count, successfulInstructions: count, failedInstructions: 0, errors: [] }
}
