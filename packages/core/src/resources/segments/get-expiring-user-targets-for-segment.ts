import { segments } from '../../models/segments/segment.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { expiringUserTargetsWire, presentExpiringUserTargets } from './expiring-target-wire.ts'
import { revisionAt } from './segment-at.ts'

export const getExpiringUserTargetsForSegment = getCard(segments, {
  id: 'getExpiringUserTargetsForSegment',
  summary: 'Tell when users stop being targets of a segment',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: expiringUserTargetsWire,
  revisionOf: revisionAt,
  present: (context, segment, keys) => presentExpiringUserTargets(context, keys, segment),
})
