import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { destinations } from './destination.ts'
import { destinationResponse, serializeDestination } from './destination-response.ts'

export const getDestination = getOperation(destinations, {
  id: 'getDestination',
  summary: 'Get a destination of data exports, with masked secrets',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: destinationResponse,
  serialize: serializeDestination,
})
