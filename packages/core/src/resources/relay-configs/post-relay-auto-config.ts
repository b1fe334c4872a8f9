import * as v from 'valibot'
import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { relayConfigResponse, relayConfigSettings, serializeRelayConfig } from './relay-config-response.ts'
import { newRelayKey } from './relay-key.ts'
import { relayPolicyRequest } from './relay-policy.ts'

/** Maximum number of Relay Proxy configurations of an account. All of them are read when one of them changes. */
export const maxRelayConfigs = 1_000

export const postRelayAutoConfig = operation({
  id: 'postRelayAutoConfig',
  summary: 'Create a Relay Proxy configuration; only this response contains its key',
  method: 'POST',
  path: '/api/v2/account/relay-auto-configs',
  body: jsonBody(v.strictObject({ name: relayConfigSettings.entries.name, policy: relayPolicyRequest })),
  success: { status: 201, body: relayConfigResponse },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: { action: 'createRelayAutoConfiguration', resource: 'relay-proxy-config/*' },
  // A restored configuration has no key. The reset that generates a key also replaces the limits of its policy.
  undo: [undoOf(relayConfigs, { create: 'createRelayAutoConfiguration' })],
  async handle(context, { body }) {
    const { tx, fail, caller } = context
    const { total } = await tx.listRows(relayConfigs, {}, { limit: 0 })
    if (total >= maxRelayConfigs) {
      fail('invalid_request', { message: `An account has at most ${maxRelayConfigs} Relay Proxy configurations` })
    }
    const host = context.useHost()
    const now = context.readClock()
    const { fullKey, properties } = await newRelayKey(host, caller)
    const id = host.newId()
    const config = insertNew(
      context,
      relayConfigs,
      { id },
      {
        ...body,
        ...properties,
        id,
        ...(caller.memberId === undefined ? {} : { creatorId: caller.memberId }),
        createdAt: now,
        lastModified: now,
      },
    )
    return serializeRelayConfig(context, config, fullKey)
  },
})
