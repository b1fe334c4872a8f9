import { requireOn, webhooks } from '../../models/webhooks/webhook.ts'
import { deliveryTask, eventOf, webhookAttempts, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { operation } from '../../operation/operation.ts'
import { addressOf } from '../../rules/address.ts'
import { findEntry } from '../change-log/find-entry.ts'
import { deliveryReferenceResponse, serializeDeliveryReference, waitingTask } from './webhook-delivery-response.ts'

export const replayWebhookDelivery = operation({
  id: 'replayWebhookDelivery',
  summary: 'Replay a delivery immediately, with the same id',
  method: 'POST',
  path: '/api/v2/webhooks/{id}/deliveries/{deliveryId}/replay',
  success: { status: 200, body: deliveryReferenceResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'updateOn', resource: 'webhook/{id}' },
  async handle(context, { params: { id, deliveryId } }) {
    const { tx, fail } = context
    const now = context.readClock()
    const position = parseEntryId(deliveryId) ?? fail('not_found')
    const [webhook, task, [attempt], entry] = await Promise.all([
      tx.get(webhooks, { id }),
      waitingTask(tx, id, deliveryId),
      tx.newest(webhookAttempts, { id }, { limit: 1, labels: [deliveryId] }),
      findEntry(tx, position),
    ])
    const event = eventOf(task, attempt)
    if (!webhook || !event) return fail('not_found')
    requireOn(webhook, fail)
    const orderingKey = event === 'ping' ? addressOf(webhooks.resource({ id })) : (entry ?? fail('not_found')).label
    // A delivery that waits for its next attempt starts again immediately.
    tx.finish(webhookDeliveries, { id }, { id: deliveryId })
    tx.enqueue(webhookDeliveries, { id }, [deliveryTask(deliveryId, orderingKey, { at: position.at, due: now, event })])
    return serializeDeliveryReference(id, deliveryId)
  },
})
