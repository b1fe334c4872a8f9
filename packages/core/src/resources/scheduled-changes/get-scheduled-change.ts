import { getCard } from '../../operation/cards/get-card.ts'
import { scheduledChanges } from './scheduled-change.ts'
import { presentScheduledChange, scheduledChangeWire } from './scheduled-change-wire.ts'

export const getScheduledChange = getCard(scheduledChanges, {
  id: 'getScheduledChange',
  summary: 'Fetch a scheduled change of a flag',
  path: '/api/v2/projects/{projectKey}/flags/{featureFlagKey}/environments/{environmentKey}/scheduled-changes/{id}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: scheduledChangeWire,
  present: presentScheduledChange,
})
