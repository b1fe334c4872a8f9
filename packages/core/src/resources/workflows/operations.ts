export { deleteWorkflow } from './delete-workflow.ts'
export { getCustomWorkflow } from './get-custom-workflow.ts'
export { getWorkflows } from './get-workflows.ts'
export { postWorkflow } from './post-workflow.ts'
