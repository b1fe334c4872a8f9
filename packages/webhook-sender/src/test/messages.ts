import type { SendOutcome, WebhookMessage } from '@halyard/core/webhooks'
import { onTestFinished } from 'vitest'
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from '../webhook-sender.ts'

export const secret = 'a-secret-that-is-long-enough'

export const messageTo = (url: string, overrides: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-signature': secret },
  body: '{"kind":"flag","name":"ä"}',
  timeoutMs: 5_000,
  ...overrides,
})

/** Makes a sender that may connect to private addresses, and is closed after the test. */
export const privateSender = (options: WebhookSenderOptions = {}): WebhookSender =>
  closeAfterTest(createWebhookSender({ allowPrivate: true, ...options }))

export function closeAfterTest(sender: WebhookSender): WebhookSender {
  onTestFinished(() => sender.close())
  return sender
}

/** Returns the reason of a failure. Throws when the message was answered. */
export function reasonOfFailure(outcome: SendOutcome): string {
  if (outcome.outcome === 'answered') throw new Error(`answered ${outcome.status}`)
  return outcome.reason
}
