import { webhooks } from '../../models/webhooks/webhook.ts'
import { deleteCard } from '../../operation/cards/delete-card.ts'

export const deleteWebhook = deleteCard(webhooks, {
  id: 'deleteWebhook',
  summary: 'Delete a webhook, with its deliveries and what waits to be delivered',
  path: '/api/v2/webhooks/{id}',
  access: { action: 'deleteWebhook', resource: 'webhook/{id}' },
  contents: true,
})
