import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { eventOf, webhookAttempts } from '../../models/webhooks/webhook-delivery.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { operation } from '../../operation/operation.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { findEntry } from '../change-log/find-entry.ts'
import { attemptResponse, deliveryLinks, serializeAttempt, waitingTask } from './webhook-delivery-response.ts'
import { deliveryMessage } from './webhook-message.ts'

/** This limit is greater than the number of attempts of any delivery, even one that is replayed often. */
const maxAttempts = 1_000

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
      attempts: list(attemptResponse),
    }),
  },
  errors: ['not_found'],
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  async handle(context, { params: { id, deliveryId } }) {
    const { tx, format, fail } = context
    const position = parseEntryId(deliveryId) ?? fail('not_found')
    const [webhook, task, samples, entry] = await Promise.all([
      tx.get(webhooks, { id }),
      waitingTask(tx, id, deliveryId),
      tx.newest(webhookAttempts, { id }, { limit: maxAttempts, labels: [deliveryId] }),
      findEntry(tx, position),
    ])
    const event = eventOf(task, samples[0])
    if (!webhook || !event) return fail('not_found')
    const changed = event === 'ping' ? undefined : entry
    const isLost = event === 'change' && !entry
    const message = isLost
      ? undefined
      : await deliveryMessage(context, webhook, { delivery: deliveryId, entry: changed })
    return {
      _id: deliveryId,
      _links: deliveryLinks(id, deliveryId),
      event,
      ...(message ? { body: message.body } : {}),
      waiting: task !== undefined,
      ...(task ? { nextAttemptDate: format.time(task.due) } : {}),
      attempts: samples.map((sample) => serializeAttempt(format, id, sample)),
    }
  },
})
