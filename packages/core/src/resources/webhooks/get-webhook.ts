import { webhooks } from '../../models/webhooks/webhook.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { serializeWebhook, webhookResponse } from './webhook-response.ts'

export const getWebhook = getOperation(webhooks, {
  id: 'getWebhook',
  summary: 'Get a webhook',
  path: '/api/v2/webhooks/{id}',
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  response: webhookResponse,
  serialize: serializeWebhook,
})
