import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { requireValidPolicy } from '../roles/policy-schema.ts'
import { limitsOf } from '../tokens/ceiling.ts'
import { relayConfigResponse, relayConfigSettings, serializeRelayConfig } from './relay-config-response.ts'
import { requireRelayPolicy } from './relay-policy.ts'

export const patchRelayAutoConfig = patchOperation(relayConfigs, {
  id: 'patchRelayAutoConfig',
  summary: 'Update a Relay Proxy configuration; a changed policy serves at most what the caller may view',
  path: '/api/v2/account/relay-auto-configs/{id}',
  shows: { action: 'viewRelayProxyConfig', resource: 'relay-proxy-config/{id}' },
  settings: relayConfigSettings,
  change(context, patched, _, before) {
    const { policy } = patched
    const lastModified = context.readClock()
    if (jsonEqual(policy, before.policy)) return { ...patched, lastModified }
    requireValidPolicy('policy', before.policy, policy)
    requireRelayPolicy(policy)
    return { ...patched, policyLimits: limitsOf(context.caller), lastModified }
  },
  response: relayConfigResponse,
  serialize: (context, config) => serializeRelayConfig(context, config),
})
