import * as v from 'valibot'
import type { ResponseFormat } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'

/** Properties of every expiry date in a response, next to the property that names the list of its target. */
const expiryWire = {
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
export type TargetingThing = v.InferOutput<(typeof expiryWire)['_resourceId']> & { readonly kind: 'flag' | 'segment' }

/**
 * Returns the response schemas for expiring targets and expiring user targets. The responses to a patch also report how
 * many of its instructions succeeded.
 *
 * @param listProperty schema of the property that names the list which contains a target.
 */
export function expiringTargetWires<const Place extends v.ObjectEntries>(place: Place) {
  const expiringTargetsWire = listed(
    v.object({ ...expiryWire, ...place, contextKind: v.string(), contextKey: v.string() }),
  )
  const expiringUserTargetsWire = listed(v.object({ ...expiryWire, ...place, userKey: v.string() }))
  return {
    expiringTargetsWire,
    expiringUserTargetsWire,
    patchedExpiringTargetsWire: v.object({ ...expiringTargetsWire.entries, ...followed }),
    patchedExpiringUserTargetsWire: v.object({ ...expiringUserTargetsWire.entries, ...followed }),
  }
}

const listed = <Item extends v.GenericSchema>(item: Item) => v.object({ items: list(item), _links: links() })

const followed = {
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
 * Serializes the dates of the targets of a thing, the nearest first.
 *
 * @param listName the property that names the list which a target is in.
 */
export function presentExpiringTargets(
  format: ResponseFormat,
  thing: TargetingThing,
  targets: readonly ExpiringTarget[],
  listName: string,
): ListedTargets {
  const items = byDate(targets).map((target) => ({
    ...presentExpiry(format, thing, target),
    [listName]: target.place,
    contextKind: target.contextKind,
    contextKey: target.contextKey,
  }))
  return { items, _links: linksOf(thing, 'expiring-targets') }
}

/** Serializes the dates of users among the targets of a thing, the nearest first. */
export function presentExpiringUserTargets(
  format: ResponseFormat,
  thing: TargetingThing,
  targets: readonly ExpiringTarget[],
  listName: string,
): ListedTargets {
  const items = byDate(targets)
    .filter(({ contextKind }) => contextKind === userKind)
    .map((target) => ({
      ...presentExpiry(format, thing, target),
      [listName]: target.place,
      userKey: target.contextKey,
    }))
  return { items, _links: linksOf(thing, 'expiring-user-targets') }
}

function presentExpiry({ time }: ResponseFormat, _resourceId: TargetingThing, target: ExpiringTarget) {
  return { _id: target.id, _version: target.version, expirationDate: time(target.expiresAt), _resourceId }
}

function byDate(targets: readonly ExpiringTarget[]): readonly ExpiringTarget[] {
  return targets.toSorted((a, b) => a.expiresAt - b.expiresAt)
}

function linksOf({ kind, projectKey, environmentKey, key }: TargetingThing, what: string) {
  return { self: linkTo(path`/api/v2/${kind}s/${projectKey}/${key}/${what}/${environmentKey}`) }
}

/** Returns the instruction counts of a successful patch, in which all instructions were applied (D12). */
export function presentFollowed(count: number) {
  return { totalInstructions: count, successfulInstructions: count, failedInstructions: 0, errors: [] }
}
