import { webhooks } from '../../models/webhooks/webhook.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteWebhook = deleteOperation(webhooks, {
  id: 'deleteWebhook',
  summary: 'Delete a webhook with its attempts and pending deliveries',
  path: '/api/v2/webhooks/{id}',
  access: { action: 'deleteWebhook', resource: 'webhook/{id}' },
  contents: true,
})
