import * as v from 'valibot'
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
import type { ConfigKeys } from './flag-config.ts'

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
  { format }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringTargetsWire> {
  return presentTargets(format, thingAt(keys), targets, ({ place }) => ({ variationId: place }))
}

/** The same of users alone. */
export function presentExpiringUserTargets(
  { format }: ReadContext,
  keys: ConfigKeys,
  targets: readonly ExpiringTarget[],
): v.InferOutput<typeof expiringUserTargetsWire> {
  return presentUsers(format, thingAt(keys), targets, ({ place }) => ({ variationId: place }))
}

function thingAt({ projectKey, environmentKey, flagKey }: ConfigKeys): TargetingThing {
  return { kind: 'flag', projectKey, environmentKey, key: flagKey }
}
