import { patchCard } from '../../operation/cards/patch-card.ts'
import { masked } from '../../operation/masked.ts'
import { retiredSecret, webhooks } from './webhook.ts'
import { webhookFailures } from './webhook-delivery.ts'
import { presentWebhook, seenWebhook, webhookSettings, webhookWire } from './webhook-wire.ts'

export const patchWebhook = patchCard(webhooks, {
  id: 'patchWebhook',
  summary: 'Change a webhook; an old secret signs beside a new one for a day, and without one it signs no more',
  path: '/api/v2/webhooks/{id}',
  shows: { action: 'viewWebhook', resource: 'webhook/{id}' },
  settings: webhookSettings,
  seen: seenWebhook,
  change(context, patched, keys, before) {
    const { tx } = context
    const now = context.readClock()
    const secret = patched.secret === masked ? before.secret : patched.secret
    const turnedOn = patched.on && !before.on
    // What failed before says nothing of what it is now.
    if (turnedOn || patched.url !== before.url) tx.discard(webhookFailures, keys)
    return {
      ...patched,
      secret,
      retiredSecret: retiredSecret(before, secret, now),
      ...(turnedOn ? { disabledReason: undefined } : {}),
    }
  },
  answer: webhookWire,
  present: presentWebhook,
})
