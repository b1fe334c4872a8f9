import { workflowTemplates as templateDocuments } from '../../models/workflows/workflow-template.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const workflowTemplates = resource({
  title: 'Workflow templates',
  description: 'Stages of the account from which workflows of any flag are created.',
  kinds: [{ shape: 'template', actions: ['viewTemplate', 'createTemplate', 'deleteTemplate'] }],
  collections: [templateDocuments],
  operations: Object.values(operations),
  parameters: {
    templateKey: 'Key of the workflow template.',
    summary: 'Omits the stages and parameters from the response.',
    search: 'Only templates whose name or description contains this text.',
  },
})
