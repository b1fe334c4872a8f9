import { workflowTemplates } from '../../models/workflows/workflow-template.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteWorkflowTemplate = deleteOperation(workflowTemplates, {
  id: 'deleteWorkflowTemplate',
  summary: 'Delete a workflow template; workflows that were created from it stay',
  path: '/api/v2/templates/{templateKey}',
  access: { action: 'deleteTemplate', resource: 'template/{templateKey}' },
})
