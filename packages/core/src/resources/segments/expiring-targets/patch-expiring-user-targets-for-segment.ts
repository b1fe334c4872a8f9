import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringUserTargets } from '../../targeting/expiring-target-response.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringUserTargetPatch, patchedExpiringUserTargetsResponse } from './expiring-target-schema.ts'

export const patchExpiringUserTargetsForSegment = patchExpiringTargetsOperation(segmentTargets, {
  id: 'patchExpiringUserTargetsForSegment',
  summary: 'Update the expiring user targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  body: expiringUserTargetPatch,
  response: patchedExpiringUserTargetsResponse,
  serialize: serializeExpiringUserTargets,
})
