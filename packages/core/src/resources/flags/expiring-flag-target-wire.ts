import * as v from 'valibot'
import type { ConfigKeys } from '../../models/flags/flag-config.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import {
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../targeting/expiring-target-request-wire.ts'
import {
  expiringTargetWires,
  presentExpiringTargets as presentTargets,
  presentExpiringUserTargets as presentUsers,
  type TargetingThing,
} from '../targeting/expiring-target-wire.ts'
import { contextKey } from '../targeting/targeting-wire.ts'

const variationId = v.string()

export const expiringTargetPatch = patchOfTargets({ variationId }, contextKey())
export const expiringUserTargetPatch = patchOfUsers({ variationId }, contextKey())

export const {
  expiringTargetsWire,
  expiringUserTargetsWire,
  patchedExpiringTargetsWire,
  patchedExpiringUserTargetsWire,
} = expiringTargetWires({ variationId })

/** Shows when targets of a flag stop being some. */
export function presentExpiringTargets(
  { wire }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringTargetsWire> {
  return presentTargets(wire, thingAt(keys), targets, ({ place }) => ({ variationId: place }))
}

/** The same of users alone. */
export function presentExpiringUserTargets(
  { wire }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringUserTargetsWire> {
  return presentUsers(wire, thingAt(keys), targets, ({ place }) => ({ variationId: place }))
}

function thingAt({ projectKey, environmentKey, flagKey }: ConfigKeys): TargetingThing {
  return { kind: 'flag', projectKey, environmentKey, key: flagKey }
}
