import { documents, queue, series, type Versioned } from '../../storage/collection.ts'
import type { Sample, Task } from '../../storage/port.ts'

/** What waits to be delivered to a webhook, or to be tried again; a task's id is that of its delivery. */
export const webhookDeliveries = queue({ name: 'webhook-deliveries', address: 'webhook/{id}' })

/** A delivery as its task holds it: the message is made anew each time, from the change log. */
export interface WaitingDelivery {
  /** `change`: what the change log says; `ping`: a test. */
  readonly event: 'change' | 'ping'
  /** Attempts that were made. */
  readonly attempt: number
}

/** Every attempt to deliver, kept for thirty days. Labelled with the delivery; values: status, ms, number of the attempt. */
export const webhookAttempts = series({ name: 'webhook-attempts', address: 'webhook/{id}' })

/** How long attempts are kept, ms. */
export const attemptsKept = 30 * 24 * 60 * 60 * 1000

export interface Attempt {
  readonly event: WaitingDelivery['event']
  readonly outcome: 'success' | 'failure'
  /** Why it failed, in one sentence. */
  readonly reason?: string
  /** How the receiver's answer begins. */
  readonly response?: string
}

/** An attempt as its sample has it. */
export interface RecordedAttempt extends Attempt {
  /** `_id` of the delivery. */
  readonly delivery: string
  /** Undefined where nobody answered. */
  readonly status?: number
  readonly ms?: number
  /** 1 for the first. */
  readonly number: number
}

/** An attempt as a sample. */
export function attemptSample(id: string, at: number, attempt: RecordedAttempt): Sample {
  const { delivery, status = null, ms = null, number, ...body } = attempt
  return { id, at, label: delivery, values: [status, ms, number], body }
}

/** The opposite of `attemptSample`. */
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

/** What a delivery tells of, by its task or one of its attempts; undefined where there is neither. */
export function eventOf(task: Task | undefined, attempt: Sample | undefined): WaitingDelivery['event'] | undefined {
  if (task) return (task.body as WaitingDelivery).event
  return attempt && recordedAttempt(attempt).event
}

/** Since when a webhook has done nothing but fail; gone with a success. */
export interface WebhookFailures extends Versioned {
  /** Integer ms. */
  readonly since: number
}

export const webhookFailures = documents<WebhookFailures>()({
  name: 'webhook-failures',
  address: 'webhook/{id}:failures/since',
})

/**
 * The task of a delivery. Those about one thing stand in one lane, so that its receiver learns of them in their order.
 *
 * @param at where it stands in its lane, and `due` when it is sent: integer ms, UTC.
 */
export function deliveryTask(
  id: string,
  lane: string,
  { at, due, event = 'change' }: { at: number; due: number; event?: WaitingDelivery['event'] },
): Task {
  const body: WaitingDelivery = { event, attempt: 0 }
  return { id, lane, at, due, body }
}
