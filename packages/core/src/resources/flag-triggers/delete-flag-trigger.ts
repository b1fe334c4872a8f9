import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { flagTriggerIndex, flagTriggers } from './flag-trigger.ts'

export const deleteFlagTrigger = deleteOperation(flagTriggers, {
  id: 'deleteFlagTrigger',
  summary: 'Delete a trigger of a flag; its URL then has no effect',
  path: '/api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}/{id}',
  access: { action: 'deleteTriggers', resource: flagTriggers.policyTemplate },
  contents: true,
  also: ({ tx }, _, { id }) => tx.discard(flagTriggerIndex, { id }),
})
