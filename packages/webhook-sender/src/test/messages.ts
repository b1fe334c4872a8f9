import type { SendOutcome, WebhookMessage } from '@halyard/core/webhooks'
import { onTestFinished } from 'vitest'
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from '../webhook-sender.ts'

export const secret = 'a-secret-that-is-long-enough'

export const messageTo = (url: string, more: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-signature': secret },
  body: '{"kind":"flag","name":"ä"}',
  timeoutMs: 5_000,
  ...more,
})

/** Makes a sender that may connect to private addresses, and is closed after the test. */
export const innerSender = (options: WebhookSenderOptions = {}): WebhookSender =>
  closedAtLast(createWebhookSender({ allowPrivate: true, ...options }))

export function closedAtLast(sender: WebhookSender): WebhookSender {
  onTestFinished(() => sender.close())
  return sender
}

/** Returns the reason of a failure. Throws when the message was answered. */
export function reasonIn(outcome: SendOutcome): string {
  if (outcome.outcome === 'answered') throw new Error(`answered ${outcome.status}`)
  return outcome.reason
}
