import { patchCard } from '../../operation/cards/patch-card.ts'
import { masked } from '../../operation/masked.ts'
import { webhooks } from './webhook.ts'
import { presentWebhook, seenWebhook, webhookSettings, webhookWire } from './webhook-wire.ts'

export const patchWebhook = patchCard(webhooks, {
  id: 'patchWebhook',
  summary: 'Change a webhook; without a secret it signs no more',
  path: '/api/v2/webhooks/{id}',
  shows: { action: 'viewWebhook', resource: 'webhook/{id}' },
  settings: webhookSettings,
  seen: seenWebhook,
  change(_, patched, __, before) {
    const { secret } = patched
    const turnedOn = patched.on && !before.on
    return {
      ...patched,
      secret: secret === masked ? before.secret : secret,
      ...(turnedOn ? { disabledReason: undefined } : {}),
    }
  },
  answer: webhookWire,
  present: presentWebhook,
})
