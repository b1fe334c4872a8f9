import { workflows } from '../../models/workflows/workflow.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { discardContents } from './discard-contents.ts'
import { undoDeletion } from './undo-workflows.ts'

export const deleteWorkflow = deleteOperation(workflows, {
  id: 'deleteWorkflow',
  summary: 'Delete a workflow, with its open approval requests; its remaining stages are not run',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows/{workflowId}',
  access: { action: 'updateFeatureWorkflows', resource: workflows.policyTemplate },
  undo: undoDeletion,
  also: discardContents,
})
