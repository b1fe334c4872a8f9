import { documents, queue, series, type Versioned } from '../../storage/collection.ts'
import type { Sample, Task } from '../../storage/port.ts'

/** Pending deliveries of a webhook, including retries. The id of a task is the id of its delivery. */
export const webhookDeliveries = queue({ name: 'webhook-deliveries', address: 'webhook/{id}' })

/** The body of a delivery's task. Each attempt makes the message from the change log. */
export interface WaitingDelivery {
  /** `change` for an entry of the change log, `ping` for a test. */
  readonly event: 'change' | 'ping'
  /** Number of attempts so far. */
  readonly attempt: number
}

/**
 * All delivery attempts, retained for thirty days. The label is the delivery; the values are status, ms and number of
 * the attempt.
 */
export const webhookAttempts = series({ name: 'webhook-attempts', address: 'webhook/{id}' })

/** Retention time of attempts, in ms. */
export const attemptRetentionMs = 30 * 24 * 60 * 60 * 1000

export interface Attempt {
  readonly event: WaitingDelivery['event']
  readonly outcome: 'success' | 'failure'
  /** Reason of the failure, as a sentence. */
  readonly reason?: string
  /** Beginning of the receiver's response. */
  readonly response?: string
}

/** An attempt with the values of its sample. */
export interface RecordedAttempt extends Attempt {
  /** `_id` of the delivery. */
  readonly delivery: string
  /** Undefined when the receiver did not respond. */
  readonly status?: number
  readonly ms?: number
  /** Number of the attempt; the first one has 1. */
  readonly number: number
}

/** Returns the sample of an attempt. */
export function attemptSample(id: string, time: number, attempt: RecordedAttempt): Sample {
  const { delivery, status = null, ms = null, number, ...body } = attempt
  return { id, at: time, label: delivery, values: [status, ms, number], body }
}

/** Returns the attempt that a sample records. */
export function recordedAttempt({ label, values, body }: Sample): RecordedAttempt {
  const [status, ms, number] = values
  return {
    ...(body as Attempt),
    delivery: label,
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof ms === 'number' ? { ms } : {}),
    number: number ?? 1,
  }
}

/** Returns the event of a delivery, from its task or one of its attempts; undefined when both are missing. */
export function eventOf(task: Task | undefined, attempt: Sample | undefined): WaitingDelivery['event'] | undefined {
  if (task) return (task.body as WaitingDelivery).event
  return attempt && recordedAttempt(attempt).event
}

/** Time of the first failure of a webhook since its last success. Deleted by a success. */
export interface WebhookFailures extends Versioned {
  /** Integer ms. */
  readonly since: number
}

export const webhookFailures = documents<WebhookFailures>()({
  name: 'webhook-failures',
  address: 'webhook/{id}:failures/since',
})

/**
 * Makes the task of a delivery. Deliveries about the same resource have the same ordering key, so that the receiver
 * gets them in order.
 *
 * @param input.at position among the tasks with the same ordering key.
 * @param input.due time at which the message is sent: integer ms, UTC.
 */
export function deliveryTask(
  id: string,
  orderingKey: string,
  { at, due, event = 'change' }: { at: number; due: number; event?: WaitingDelivery['event'] },
): Task {
  const body: WaitingDelivery = { event, attempt: 0 }
  return { id, lane: orderingKey, at, due, body }
}
