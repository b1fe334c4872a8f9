import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { destinations } from './destination.ts'

export const deleteDestination = deleteOperation(destinations, {
  id: 'deleteDestination',
  summary: 'Delete a destination of data exports, with the data that it has not received yet',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}',
  access: { action: 'deleteDestination', resource: 'proj/{projectKey}:env/{environmentKey}:destination/{id}' },
  contents: true,
})
