export { createWorkflowTemplate } from './create-workflow-template.ts'
export { deleteWorkflowTemplate } from './delete-workflow-template.ts'
export { getWorkflowTemplates } from './get-workflow-templates.ts'
