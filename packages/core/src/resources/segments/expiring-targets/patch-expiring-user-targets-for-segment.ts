import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringUserTargets } from '../../targeting/expiring-target-wire.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringUserTargetPatch, patchedExpiringUserTargetsWire } from './expiring-target-wire.ts'

export const patchExpiringUserTargetsForSegment = patchExpiringTargetsOperation(segmentTargets, {
  id: 'patchExpiringUserTargetsForSegment',
  summary: 'Update the expiring user targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  body: expiringUserTargetPatch,
  response: patchedExpiringUserTargetsWire,
  serialize: presentExpiringUserTargets,
})
