import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import type { Moment } from '../../rules/expiring-targets/expiring-targets.ts'
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
import type { Segment, SegmentKeys } from './segment.ts'
import { segmentAt } from './segment-at.ts'
import { targetKey } from './segment-wire.ts'

const place = { targetType: v.picklist(['included', 'excluded']) }

/** The environment stands in the path already; a caller may name it in the body too. */
const environment = { environmentKey: v.optional(v.string()) }

export const expiringTargetPatch = v.strictObject({
  ...patchOfTargets(place, targetKey()).entries,
  ...environment,
})
export const expiringUserTargetPatch = v.strictObject({
  ...patchOfUsers(place, targetKey()).entries,
  ...environment,
})

export const {
  expiringTargetsWire,
  expiringUserTargetsWire,
  patchedExpiringTargetsWire,
  patchedExpiringUserTargetsWire,
} = expiringTargetWires({ targetType: v.string() })

/** Shows when targets of a segment stop being some. */
export function presentExpiringTargets(
  context: ReadContext,
  keys: SegmentKeys,
  segment: Segment,
): v.InferOutput<typeof expiringTargetsWire> {
  return presentTargets(context.format, thingAt(keys), datesOf(segment, context), ({ place }) => ({
    targetType: place,
  }))
}

/** The same of users alone. */
export function presentExpiringUserTargets(
  context: ReadContext,
  keys: SegmentKeys,
  segment: Segment,
): v.InferOutput<typeof expiringUserTargetsWire> {
  return presentUsers(context.format, thingAt(keys), datesOf(segment, context), ({ place }) => ({ targetType: place }))
}

function datesOf(segment: Segment, moment: Moment) {
  return segmentAt(segment, moment).expiringTargets ?? []
}

function thingAt({ projectKey, environmentKey, segmentKey }: SegmentKeys): TargetingThing {
  return { kind: 'segment', projectKey, environmentKey, key: segmentKey }
}
