import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { destinations } from './destination.ts'
import { destinationResponse, destinationSettings, serializeDestination } from './destination-response.ts'
import { splitConfig } from './split-config.ts'

export const patchDestination = patchOperation(destinations, {
  id: 'patchDestination',
  summary: 'Update a destination of data exports; a secret stays unchanged when its mask is sent',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: destinationSettings,
  change: (context, patched, _, { kind, credentials }) => ({
    ...patched,
    ...splitConfig(context, kind, patched.config, credentials),
  }),
  response: destinationResponse,
  serialize: serializeDestination,
})
