// Signatures.
export {
  type ReceivedHeaders,
  signWebhook,
  type WebhookVerification,
  verifyWebhook,
  type WebhookRefusal,
  type WebhookToSign,
  type WebhookToVerify,
} from '../rules/webhook-signature/index.ts'

// Senders.
export { type FetchSenderOptions, fetchSender } from '../fetch-sender.ts'
export type { Send, SendOutcome, WebhookMessage } from '../operation/sender.ts'
export { isPrivateHost } from '../rules/private-address.ts'
export { isPublicAddress } from '../rules/public-address.ts'

// Times of the attempts of a delivery.
export { nextAttemptAt, retryAfterAt, retryDelays } from '../rules/webhook-retry/retry-plan.ts'
