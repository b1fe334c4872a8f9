import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { views } from './view.ts'
import { forgetView } from './view-link.ts'

export const deleteView = deleteOperation(views, {
  id: 'deleteView',
  summary: 'Delete a view; what was linked to it stays as it is',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  access: { action: 'deleteView', resource: 'proj/{projectKey}:view/{viewKey}' },
  contents: true,
  also: ({ tx }, _, keys) => forgetView(tx, keys),
})
