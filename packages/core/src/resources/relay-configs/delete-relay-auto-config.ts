import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteRelayAutoConfig = deleteOperation(relayConfigs, {
  id: 'deleteRelayAutoConfig',
  summary: 'Delete a Relay Proxy configuration; its keys stop working immediately, and the streams of its relays end',
  path: '/api/v2/account/relay-auto-configs/{id}',
  access: { action: 'deleteRelayAutoConfiguration', resource: 'relay-proxy-config/{id}' },
})
