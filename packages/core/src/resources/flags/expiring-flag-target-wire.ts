import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import {
  byDate,
  contextNameWire,
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
  expiryWire,
  listedExpiries,
  patchedExpiries,
  presentExpiry,
  userNameWire,
} from '../targeting/expiring-target-wire.ts'
import type { ConfigKeys } from './flag-config.ts'
import { contextKey } from '../targeting/targeting-wire.ts'

const variationId = v.string()

export const expiringTargetPatch = patchOfTargets({ variationId }, contextKey())
export const expiringUserTargetPatch = patchOfUsers({ variationId }, contextKey())

const targetWire = v.object({ ...expiryWire, variationId, ...contextNameWire })
const userTargetWire = v.object({ ...expiryWire, variationId, ...userNameWire })

export const expiringTargetsWire = listedExpiries(targetWire)
export const expiringUserTargetsWire = listedExpiries(userTargetWire)
export const patchedExpiringTargetsWire = patchedExpiries(targetWire)
export const patchedExpiringUserTargetsWire = patchedExpiries(userTargetWire)

/** Shows when targets of a flag stop being some, the nearest first. */
export function presentExpiringTargets(
  { wire }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringTargetsWire> {
  const items = byDate(targets).map((one) => ({
    ...presentExpiry(wire, resourceOf(keys), one),
    variationId: one.place,
    contextKind: one.contextKind,
    contextKey: one.contextKey,
  }))
  return { items, _links: { self: linkTo(placeOf(keys, 'expiring-targets')) } }
}

/** The same of users alone, by the name that they have there. */
export function presentExpiringUserTargets(
  { wire }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringUserTargetsWire> {
  const users = byDate(targets).filter(({ contextKind }) => contextKind === userKind)
  const items = users.map((one) => ({
    ...presentExpiry(wire, resourceOf(keys), one),
    variationId: one.place,
    userKey: one.contextKey,
  }))
  return { items, _links: { self: linkTo(placeOf(keys, 'expiring-user-targets')) } }
}

function resourceOf({ projectKey, environmentKey, flagKey }: ConfigKeys) {
  return { kind: 'flag', projectKey, environmentKey, key: flagKey }
}

function placeOf({ projectKey, environmentKey, flagKey }: ConfigKeys, what: string): string {
  return path`/api/v2/flags/${projectKey}/${flagKey}/${what}/${environmentKey}`
}
