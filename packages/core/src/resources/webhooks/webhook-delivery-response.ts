import * as v from 'valibot'
import { recordedAttempt, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import { entryId, parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { ResponseFormat } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, timestamp } from '../../operation/schema.ts'
import type { Sample, Task } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

export const attemptResponse = v.object({
  _id: v.string(),
  _links: links(),
  deliveryId: v.string(),
  event: v.picklist(['change', 'ping']),
  date: timestamp(),
  /** 1 for the first attempt. */
  number: v.number(),
  outcome: v.picklist(['success', 'failure']),
  reason: v.optional(v.string()),
  status: v.optional(v.number()),
  ms: v.optional(v.number()),
  /** Beginning of the receiver's response. */
  response: v.optional(v.string()),
})

export function serializeAttempt(
  format: ResponseFormat,
  id: string,
  sample: Sample,
): v.InferOutput<typeof attemptResponse> {
  const { delivery, ...attempt } = recordedAttempt(sample)
  return {
    _id: entryId(sample),
    _links: deliveryLinks(id, delivery),
    deliveryId: delivery,
    date: format.time(sample.at),
    ...attempt,
  }
}

/** Reference to a delivery, with its links. */
export const deliveryReferenceResponse = v.object({ _id: v.string(), _links: links() })

export function serializeDeliveryReference(
  id: string,
  delivery: string,
): v.InferOutput<typeof deliveryReferenceResponse> {
  return { _id: delivery, _links: deliveryLinks(id, delivery) }
}

export function deliveryLinks(id: string, delivery: string) {
  return selfAndParent(path`/api/v2/webhooks/${id}/deliveries/${delivery}`, path`/api/v2/webhooks/${id}/deliveries`)
}

/**
 * Number of deliveries that are read to find one: greater than the number of ids that differ only in the last
 * character.
 */
const similarIdsRead = 100

/** Returns the task of a delivery while it is pending. */
export async function waitingTask(tx: Reader, id: string, delivery: string): Promise<Task | undefined> {
  const time = parseEntryId(delivery)?.at
  if (time === undefined) return undefined
  // The id of a delivery contains its position in the queue; the cursor is directly before it.
  const after = { at: time, id: delivery.slice(0, -1) }
  const tasks = await tx.listTasks(webhookDeliveries, { id }, { after, limit: similarIdsRead })
  return tasks.find((task) => task.id === delivery)
}
