import * as v from 'valibot'
import {
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../../targeting/expiring-target-request.ts'
import { expiringTargetResponses } from '../../targeting/expiring-target-response.ts'
import { contextKey } from '../../targeting/targeting-schema.ts'

const variationId = v.string()

export const expiringTargetPatch = patchOfTargets({ variationId }, contextKey())
export const expiringUserTargetPatch = patchOfUsers({ variationId }, contextKey())

export const {
  expiringTargetsWire: expiringTargetsResponse,
  expiringUserTargetsWire: expiringUserTargetsResponse,
  patchedExpiringTargetsResponse,
  patchedExpiringUserTargetsResponse,
} = expiringTargetResponses({ variationId })
