import * as v from 'valibot'
import { key } from '../../../operation/schema.ts'
import {
  expiringTargetsOfUserPatch as patchOfOneUser,
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../../targeting/expiring-target-request.ts'
import { expiringTargetResponses } from '../../targeting/expiring-target-response.ts'
import { contextKey } from '../../targeting/targeting-schema.ts'

const variationId = v.string()

export const expiringTargetPatch = patchOfTargets({ variationId }, contextKey())
export const expiringUserTargetPatch = patchOfUsers({ variationId }, contextKey())

/** Schema of a patch of the dates of one user, in which each instruction names a flag. */
export const expiringFlagsOfUserPatch = patchOfOneUser({ flagKey: key(), variationId })

export const {
  expiringTargetsWire: expiringTargetsResponse,
  expiringUserTargetsWire: expiringUserTargetsResponse,
  patchedExpiringTargetsResponse,
  patchedExpiringUserTargetsResponse,
} = expiringTargetResponses({ variationId })
