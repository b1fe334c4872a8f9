import { webhooks } from '../../models/webhooks/webhook.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { presentWebhook, webhookWire } from './webhook-wire.ts'

export const getWebhook = getCard(webhooks, {
  id: 'getWebhook',
  summary: 'Fetch a webhook',
  path: '/api/v2/webhooks/{id}',
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  answer: webhookWire,
  present: presentWebhook,
})
