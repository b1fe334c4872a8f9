import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringUserTargets } from '../../targeting/expiring-target-wire.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringUserTargetsWire } from './expiring-target-wire.ts'

export const getExpiringUserTargetsForSegment = getExpiringTargetsOperation(segmentTargets, {
  id: 'getExpiringUserTargetsForSegment',
  summary: 'List the expiring user targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  response: expiringUserTargetsWire,
  serialize: presentExpiringUserTargets,
})
