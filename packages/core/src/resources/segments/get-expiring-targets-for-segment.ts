import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { expiringTargetsWire, presentExpiringTargets } from './expiring-target-wire.ts'
import { segments } from './segment.ts'
import { revisionAt } from './segment-at.ts'

export const getExpiringTargetsForSegment = getOperation(segments, {
  id: 'getExpiringTargetsForSegment',
  summary: 'Tell when targets of a segment stop being some',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: expiringTargetsWire,
  revisionOf: revisionAt,
  serialize: (context, segment, keys) => presentExpiringTargets(context, keys, segment),
})
