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

export const webhookOperations = [
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
] as const
