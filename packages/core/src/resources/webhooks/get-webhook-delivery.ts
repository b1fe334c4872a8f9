import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { eventOf, webhookAttempts } from '../../models/webhooks/webhook-delivery.ts'
import { operation } from '../../operation/operation.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { readEntryId } from '../change-log/change-log-wire.ts'
import { findEntry } from '../change-log/find-entry.ts'
import { attemptWire, deliveryLinks, presentAttempt, waitingTask } from './webhook-delivery-wire.ts'
import { changeMessage, pingMessage } from './webhook-message.ts'

/** More attempts than a delivery ever has, even when it is replayed often. */
const mostAttempts = 1_000

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  summary: 'Get a delivery with its message, all attempts, and the time of the next one',
  method: 'GET',
  path: '/api/v2/webhooks/{id}/deliveries/{deliveryId}',
  success: {
    status: 200,
    body: v.object({
      _id: v.string(),
      _links: links(),
      event: v.picklist(['change', 'ping']),
      /** Body of the message. Omitted when the change log no longer contains the entry. */
      body: v.optional(v.string()),
      waiting: v.boolean(),
      nextAttemptDate: v.optional(timestamp()),
      attempts: list(attemptWire),
    }),
  },
  errors: ['not_found'],
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  async handle({ tx, format, fail }, { params: { id, deliveryId } }) {
    const asked = readEntryId(deliveryId) ?? fail('not_found')
    const [webhook, task, samples, entry] = await Promise.all([
      tx.get(webhooks, { id }),
      waitingTask(tx, id, deliveryId),
      tx.newest(webhookAttempts, { id }, { limit: mostAttempts, labels: [deliveryId] }),
      findEntry(tx, asked),
    ])
    const event = eventOf(task, samples[0])
    if (!webhook || !event) return fail('not_found')
    const told = entry && (await changeMessage({ tx, format }, entry))
    const body = event === 'ping' ? pingMessage(format, webhook, deliveryId) : told
    return {
      _id: deliveryId,
      _links: deliveryLinks(id, deliveryId),
      event,
      ...(body === undefined ? {} : { body }),
      waiting: task !== undefined,
      ...(task ? { nextAttemptDate: format.time(task.due) } : {}),
      attempts: samples.map((sample) => presentAttempt(format, id, sample)),
    }
  },
})
