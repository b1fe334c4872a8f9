import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringTargets } from '../../targeting/expiring-target-wire.ts'
import { segmentTargets } from './edit-expiring-targets.ts'
import { expiringTargetsWire } from './expiring-target-wire.ts'

export const getExpiringTargetsForSegment = getExpiringTargetsOperation(segmentTargets, {
  id: 'getExpiringTargetsForSegment',
  summary: 'List the expiring targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  response: expiringTargetsWire,
  serialize: presentExpiringTargets,
})
