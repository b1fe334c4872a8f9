import { segments } from '../../models/segments/segment.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { expiringTargetsWire, presentExpiringTargets } from './expiring-target-wire.ts'
import { revisionAt } from './segment-at.ts'

export const getExpiringTargetsForSegment = getCard(segments, {
  id: 'getExpiringTargetsForSegment',
  summary: 'Tell when targets of a segment stop being some',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: expiringTargetsWire,
  revisionOf: revisionAt,
  present: (context, segment, keys) => presentExpiringTargets(context, keys, segment),
})
