import { workflows } from '../../models/workflows/workflow.ts'
import { operation } from '../../operation/operation.ts'
import { serializeWorkflow, workflowResponse } from './workflow-response.ts'

export const getCustomWorkflow = operation({
  id: 'getCustomWorkflow',
  summary: 'Get a workflow of a flag in an environment, with the state of each stage',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows/{workflowId}',
  success: { status: 200, body: workflowResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const workflow = (await context.tx.get(workflows, params)) ?? context.fail('not_found')
    // The response also depends on the reviews of the approval requests and on the flag, so the version of the workflow
    // alone is not its revision.
    context.setRevision(workflow.version, true)
    return serializeWorkflow(context, workflow, params)
  },
})
