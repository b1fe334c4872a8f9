import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringTargets } from '../../targeting/expiring-target-wire.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringTargetPatch, patchedExpiringTargetsWire } from './expiring-target-wire.ts'

export const patchExpiringTargetsForSegment = patchExpiringTargetsOperation(segmentTargets, {
  id: 'patchExpiringTargetsForSegment',
  summary: 'Update the expiring targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  body: expiringTargetPatch,
  response: patchedExpiringTargetsWire,
  serialize: presentExpiringTargets,
})
