import * as v from 'valibot'
import {
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../../targeting/expiring-target-request-wire.ts'
import { expiringTargetWires } from '../../targeting/expiring-target-wire.ts'
import { targetKey } from '../segment-wire.ts'

const place = { targetType: v.picklist(['included', 'excluded']) }

/** The path names the environment already. A caller may also name it in the body. */
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
