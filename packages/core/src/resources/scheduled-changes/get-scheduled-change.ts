import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { scheduledChangeResponse, serializeScheduledChange } from './scheduled-change-schema.ts'

export const getScheduledChange = getOperation(scheduledChanges, {
  id: 'getScheduledChange',
  summary: 'Get a scheduled change of a flag',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes/{id}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: scheduledChangeResponse,
  serialize: serializeScheduledChange,
})
