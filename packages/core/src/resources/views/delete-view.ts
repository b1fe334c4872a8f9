import { views } from '../../models/views/view.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteView = deleteOperation(views, {
  id: 'deleteView',
  summary: 'Delete a view; the linked flags and segments remain',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  access: { action: 'deleteView', resource: 'proj/{projectKey}:view/{viewKey}' },
  contents: true,
})
