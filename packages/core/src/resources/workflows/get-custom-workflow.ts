import { workflows } from '../../models/workflows/workflow.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { serializeWorkflow, workflowResponse } from './workflow-response.ts'

export const getCustomWorkflow = getOperation(workflows, {
  id: 'getCustomWorkflow',
  summary: 'Get a workflow of a flag in an environment, with the state of each stage',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows/{workflowId}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: workflowResponse,
  serialize: serializeWorkflow,
})
