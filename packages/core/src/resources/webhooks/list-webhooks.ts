import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { links, list } from '../../operation/schema.ts'
import { serializeWebhook, webhookResponse } from './webhook-response.ts'

// Not defined by `listOperation`, because the specification gives this list neither pages nor a count.
export const listWebhooks = operation({
  id: 'listWebhooks',
  summary: 'List the webhooks that the caller may view, oldest first',
  method: 'GET',
  path: '/api/v2/webhooks',
  success: { status: 200, body: v.object({ _links: links(), items: list(webhookResponse) }) },
  errors: [],
  access: { open: true, why: 'the list omits what the caller may not view' },
  async handle(context) {
    const visibleQuery = {
      collection: webhooks,
      scope: {},
      action: 'viewWebhook',
      order: [{ field: 'createdAt', type: 'number' }],
    } as const
    const { items } = await visiblePage(context, visibleQuery, { limit: Number.POSITIVE_INFINITY, offset: 0 })
    return {
      _links: { self: linkTo(context.url) },
      items: await Promise.all(items.map((webhook) => serializeWebhook(context, webhook))),
    }
  },
})
