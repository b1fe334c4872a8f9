import * as v from 'valibot'
import {
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../../targeting/expiring-target-request.ts'
import { expiringTargetResponses } from '../../targeting/expiring-target-response.ts'
import { targetKey } from '../segment-schema.ts'

const listProperty = { targetType: v.picklist(['included', 'excluded']) }

/** The path names the environment already. A caller may also name it in the body. */
const environment = { environmentKey: v.optional(v.string()) }

export const expiringTargetPatch = v.strictObject({
  ...patchOfTargets(listProperty, targetKey()).entries,
  ...environment,
})
export const expiringUserTargetPatch = v.strictObject({
  ...patchOfUsers(listProperty, targetKey()).entries,
  ...environment,
})

export const {
  expiringTargetsWire: expiringTargetsResponse,
  expiringUserTargetsWire: expiringUserTargetsResponse,
  patchedExpiringTargetsResponse,
  patchedExpiringUserTargetsResponse,
} = expiringTargetResponses({ targetType: v.string() })
