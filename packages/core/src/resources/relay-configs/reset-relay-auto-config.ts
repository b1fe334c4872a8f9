import * as v from 'valibot'
import { type RelayConfig, relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import { relayConfigResponse, serializeRelayConfig } from './relay-config-response.ts'
import { newRelayKey } from './relay-key.ts'

export const resetRelayAutoConfig = operation({
  id: 'resetRelayAutoConfig',
  summary:
    'Reset the key of a Relay Proxy configuration; only this response contains the new key, and the old key works until `expiry` or, by default, stops working immediately',
  method: 'POST',
  path: '/api/v2/account/relay-auto-configs/{id}/reset',
  query: v.object({ expiry: v.optional(moment()) }),
  success: { status: 200, body: relayConfigResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'resetRelayAutoConfiguration',
    resource: 'relay-proxy-config/{id}',
    shows: { action: 'viewRelayProxyConfig', resource: 'relay-proxy-config/{id}' },
  },
  async handle(context, { params, query: { expiry } }) {
    const { tx, fail } = context
    const now = context.readClock()
    const before = (await tx.get(relayConfigs, params)) ?? fail('not_found')
    context.requireRevision(before.version)
    const { fullKey, properties } = await newRelayKey(context.useHost(), context.caller)
    const changed = { ...withRetiredKey(before, now, expiry), ...properties, lastModified: now }
    const after = tx.replace(relayConfigs, params, before, changed)
    context.setRevision(after.version)
    return serializeRelayConfig(context, after, fullKey)
  },
})

/**
 * Returns the configuration with its current key as the previous key, if that key stays valid for a time. A key that
 * was replaced earlier becomes invalid now, because the caller may not know about it.
 */
function withRetiredKey(config: RelayConfig, now: number, until: number | undefined): RelayConfig {
  const { retiredHash: _hash, retiredUntil: _until, retiredLimits: _limits, ...rest } = config
  const { hash, keyLimits } = config
  if (hash === undefined || until === undefined || until <= now) return rest
  return { ...rest, retiredHash: hash, retiredUntil: until, retiredLimits: keyLimits }
}
