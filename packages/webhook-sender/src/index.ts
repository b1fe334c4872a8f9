export type { Resolve } from './destination.ts'
export { isPublicAddress } from './public-address.ts'
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './webhook-sender.ts'
