import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringUserTargets } from '../../targeting/expiring-target-response.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringUserTargetsResponse } from './expiring-target-schema.ts'

export const getExpiringUserTargetsForSegment = getExpiringTargetsOperation(segmentTargets, {
  id: 'getExpiringUserTargetsForSegment',
  summary: 'List the expiring user targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  response: expiringUserTargetsResponse,
  serialize: serializeExpiringUserTargets,
})
