import { webhooks as webhookDocuments } from '../../models/webhooks/webhook.ts'
import { webhookFailures } from '../../models/webhooks/webhook-delivery.ts'
import { resource } from '../../operation/resource.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { getWebhookDelivery } from './get-webhook-delivery.ts'
import { listWebhookDeliveries } from './list-webhook-deliveries.ts'
import { listWebhooks } from './list-webhooks.ts'
import { patchWebhook } from './patch-webhook.ts'
import { replayWebhook } from './replay-webhook.ts'
import { replayWebhookDelivery } from './replay-webhook-delivery.ts'
import { testWebhook } from './test-webhook.ts'

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
  operations: [
    listWebhooks,
    createWebhook,
    getWebhook,
    patchWebhook,
    deleteWebhook,
    listWebhookDeliveries,
    getWebhookDelivery,
    replayWebhookDelivery,
    replayWebhook,
    testWebhook,
  ],
  parameters: {
    delivery: 'Only attempts of the delivery with this id.',
    outcome: 'Only attempts with this outcome.',
    deliveryId: 'Id of the delivery.',
  },
})
