import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringTargets } from '../../targeting/expiring-target-response.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringTargetPatch, patchedExpiringTargetsResponse } from './expiring-target-schema.ts'

export const patchExpiringTargetsForSegment = patchExpiringTargetsOperation(segmentTargets, {
  id: 'patchExpiringTargetsForSegment',
  summary: 'Update the expiring targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  body: expiringTargetPatch,
  response: patchedExpiringTargetsResponse,
  serialize: serializeExpiringTargets,
})
