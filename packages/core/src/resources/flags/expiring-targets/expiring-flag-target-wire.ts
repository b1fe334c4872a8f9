import * as v from 'valibot'
import {
  expiringTargetPatch as patchOfTargets,
  expiringUserTargetPatch as patchOfUsers,
} from '../../targeting/expiring-target-request-wire.ts'
import { expiringTargetWires } from '../../targeting/expiring-target-wire.ts'
import { contextKey } from '../../targeting/targeting-wire.ts'

const variationId = v.string()

export const expiringTargetPatch = patchOfTargets({ variationId }, contextKey())
export const expiringUserTargetPatch = patchOfUsers({ variationId }, contextKey())

export const {
  expiringTargetsWire,
  expiringUserTargetsWire,
  patchedExpiringTargetsWire,
  patchedExpiringUserTargetsWire,
} = expiringTargetWires({ variationId })
