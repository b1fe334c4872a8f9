import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { dequeueChange } from './plan.ts'

export const deleteScheduledChange = deleteOperation(scheduledChanges, {
  id: 'deleteScheduledChange',
  summary: 'Delete a scheduled change, so that it is not made',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes/{id}',
  access: { action: 'updateScheduledChanges', resource: scheduledChanges.policyTemplate },
  also: (context, scheduled, keys) => dequeueChange(context, keys, scheduled),
})
