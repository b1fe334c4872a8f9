export type { ReceivedHeaders } from './received-headers.ts'
export { signWebhook, type WebhookToSign } from './sign-webhook.ts'
export { type WebhookVerification, verifyWebhook, type WebhookRefusal, type WebhookToVerify } from './verify-webhook.ts'
