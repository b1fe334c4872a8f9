export type { ReceivedHeaders } from './received-headers.ts'
export { signWebhook, type WebhookToSign } from './sign-webhook.ts'
export { verifyWebhook, type WebhookRefusal, type WebhookToVerify, type WebhookVerification } from './verify-webhook.ts'
