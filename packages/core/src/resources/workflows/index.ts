import { workflows as workflowDocuments } from '../../models/workflows/workflow.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const workflows = resource({
  title: 'Workflows',
  description:
    'Stages that change a flag in an environment one after the other, at their times and once they are approved.',
  collections: [workflowDocuments],
  operations: Object.values(operations),
  parameters: {
    workflowId: 'Id of the workflow.',
    templateKey: 'Key of the workflow template.',
    'getWorkflows.status': 'Only workflows with this status: `active`, `completed` or `failed`.',
  },
})
