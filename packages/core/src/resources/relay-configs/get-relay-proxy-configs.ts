import * as v from 'valibot'
import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { operation } from '../../operation/operation.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { list } from '../../operation/schema.ts'
import { relayConfigResponse, serializeRelayConfig } from './relay-config-response.ts'

// Not defined by `listOperation`, because the reference API gives this list neither pages nor a count.
export const getRelayProxyConfigs = operation({
  id: 'getRelayProxyConfigs',
  summary: 'List the Relay Proxy configurations that the caller may view, oldest first',
  method: 'GET',
  path: '/api/v2/account/relay-auto-configs',
  success: { status: 200, body: v.object({ items: list(relayConfigResponse) }) },
  errors: [],
  access: { open: true, why: 'the list omits what the caller may not view' },
  async handle(context) {
    const visibleQuery = {
      collection: relayConfigs,
      scope: {},
      action: 'viewRelayProxyConfig',
      order: [{ field: 'createdAt', type: 'number' }],
    } as const
    const { items } = await visiblePage(context, visibleQuery, { limit: Number.POSITIVE_INFINITY, offset: 0 })
    return { items: await Promise.all(items.map((config) => serializeRelayConfig(context, config))) }
  },
})
