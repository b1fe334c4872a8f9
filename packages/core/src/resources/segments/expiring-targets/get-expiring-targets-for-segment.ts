import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringTargets } from '../../targeting/expiring-target-response.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringTargetsResponse } from './expiring-target-schema.ts'

export const getExpiringTargetsForSegment = getExpiringTargetsOperation(segmentTargets, {
  id: 'getExpiringTargetsForSegment',
  summary: 'List the expiring targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  response: expiringTargetsResponse,
  serialize: serializeExpiringTargets,
})
