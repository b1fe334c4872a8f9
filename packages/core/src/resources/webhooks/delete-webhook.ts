import { deleteCard } from '../../operation/cards/delete-card.ts'
import { webhooks } from './webhook.ts'

export const deleteWebhook = deleteCard(webhooks, {
  id: 'deleteWebhook',
  summary: 'Delete a webhook',
  path: '/api/v2/webhooks/{id}',
  access: { action: 'deleteWebhook', resource: 'webhook/{id}' },
})
