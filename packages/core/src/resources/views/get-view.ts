import { views } from '../../models/views/view.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { serializeView, viewResponse } from './view-schema.ts'

export const getView = getOperation(views, {
  id: 'getView',
  summary: 'Get a view',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  access: { action: 'viewView', resource: 'proj/{projectKey}:view/{viewKey}' },
  response: viewResponse,
  serialize: serializeView,
})
