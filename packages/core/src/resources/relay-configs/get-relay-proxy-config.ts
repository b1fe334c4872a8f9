import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { relayConfigResponse, serializeRelayConfig } from './relay-config-response.ts'

export const getRelayProxyConfig = getOperation(relayConfigs, {
  id: 'getRelayProxyConfig',
  summary: 'Get a Relay Proxy configuration',
  path: '/api/v2/account/relay-auto-configs/{id}',
  access: { action: 'viewRelayProxyConfig', resource: 'relay-proxy-config/{id}' },
  response: relayConfigResponse,
  serialize: (context, config) => serializeRelayConfig(context, config),
})
