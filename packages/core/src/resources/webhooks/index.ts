import { webhooks as webhookDocuments } from '../../models/webhooks/webhook.ts'
import { webhookFailures } from '../../models/webhooks/webhook-delivery.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const webhooks = resource({
  title: 'Webhooks',
  description: 'URLs that are notified of changes, and the log of their deliveries.',
  kinds: [
    {
      shape: 'webhook',
      actions: [
        'viewWebhook',
        'createWebhook',
        'updateName',
        'updateUrl',
        'updateSecret',
        'updateStatements',
        'updateOn',
        'updateTags',
        'deleteWebhook',
      ],
    },
  ],
  collections: [webhookDocuments, webhookFailures],
  operations: Object.values(operations),
  parameters: {
    delivery: 'Only attempts of the delivery with this id.',
    outcome: 'Only attempts with this outcome.',
    deliveryId: 'Id of the delivery.',
  },
})
