export { isPublicAddress } from '@halyard/core/webhooks'
export type { Resolve } from './destination.ts'
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts'
