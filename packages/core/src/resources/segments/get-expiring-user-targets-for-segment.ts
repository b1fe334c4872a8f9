import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { expiringUserTargetsWire, presentExpiringUserTargets } from './expiring-target-wire.ts'
import { segments } from './segment.ts'
import { revisionAt } from './segment-at.ts'

export const getExpiringUserTargetsForSegment = getOperation(segments, {
  id: 'getExpiringUserTargetsForSegment',
  summary: 'Tell when users stop being targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: expiringUserTargetsWire,
  revisionOf: revisionAt,
  serialize: (context, segment, keys) => presentExpiringUserTargets(context, keys, segment),
})
