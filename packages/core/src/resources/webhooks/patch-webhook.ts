import { retiredSecret, webhooks } from '../../models/webhooks/webhook.ts'
import { webhookFailures } from '../../models/webhooks/webhook-delivery.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { masked } from '../../operation/masked.ts'
import { requireValidPolicy } from '../roles/policy-schema.ts'
import {
  requireUrlOfFormat,
  serializeWebhook,
  visibleWebhook,
  webhookResponse,
  webhookSettings,
} from './webhook-response.ts'

export const patchWebhook = patchOperation(webhooks, {
  id: 'patchWebhook',
  summary:
    'Update a webhook; after a change of the secret, the old one also signs messages for a day; without a secret, messages are not signed',
  path: '/api/v2/webhooks/{id}',
  shows: { action: 'viewWebhook', resource: 'webhook/{id}' },
  settings: webhookSettings,
  visibleDocument: visibleWebhook,
  change(context, patched, keys, before) {
    requireValidPolicy('statements', before.statements, patched.statements)
    const { tx } = context
    requireUrlOfFormat(patched, context.fail)
    const now = context.readClock()
    const secret = patched.secret === masked ? before.secret : patched.secret
    const turnedOn = patched.on && !before.on
    // Earlier failures are irrelevant for the new state.
    if (turnedOn || patched.url !== before.url) tx.discard(webhookFailures, keys)
    return {
      ...patched,
      secret,
      retiredSecret: retiredSecret(before, secret, now),
      ...(turnedOn ? { disabledReason: undefined } : {}),
    }
  },
  response: webhookResponse,
  serialize: serializeWebhook,
})
