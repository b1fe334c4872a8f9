import { type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import {
  attemptSample,
  type RecordedAttempt,
  type WaitingDelivery,
  webhookAttempts,
  webhookDeliveries,
  webhookFailures,
} from '../../models/webhooks/webhook-delivery.ts'
import type { WriteContext } from '../../operation/context.ts'
import { longestFailing } from '../../rules/webhook-retry/retry-plan.ts'
import type { TakenTask } from '../../storage/port.ts'

/** Waiting deliveries that go with the webhook in one batch; what is left goes when its turn comes. */
const mostDropped = 10_000

export interface AttemptToRecord {
  /** As it was when the message was made. */
  readonly webhook: Webhook
  /** Since when it has done nothing but fail, this time included: integer ms. */
  readonly failingSince: number
  readonly task: TakenTask
  readonly attempt: RecordedAttempt
  /** When it is tried again: integer ms, UTC; undefined where it is given up. */
  readonly next: number | undefined
}

/** Writes what became of an attempt, and what follows: the delivery is done, waits again, or its webhook is turned off (D32). */
export async function recordAttempt(context: WriteContext, given: AttemptToRecord): Promise<void> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  const { webhook, task, attempt, next } = given
  const keys = { id: webhook.id }
  const current = await tx.get(webhooks, keys)
  if (!current) return tx.finish(webhookDeliveries, keys, task)
  tx.append(webhookAttempts, keys, [attemptSample(host.newId(), now, attempt)])
  const reason = disablingReason(given, now)
  // Whoever gave it another URL meanwhile did so for a reason.
  if (reason !== undefined && current.on && current.url === webhook.url) return turnOff(context, current, task, reason)
  // With the webhook its attempts are gone, and none may come after.
  tx.expect(webhooks, keys, current)
  if (attempt.outcome === 'success') {
    tx.finish(webhookDeliveries, keys, task)
    return tx.discard(webhookFailures, keys)
  }
  tx.ensure(webhookFailures, keys, { since: now })
  const waiting: WaitingDelivery = { event: attempt.event, attempt: attempt.number }
  if (next === undefined) tx.finish(webhookDeliveries, keys, task)
  else tx.postpone(webhookDeliveries, keys, task, { due: next, body: waiting })
}

function disablingReason({ attempt, failingSince }: AttemptToRecord, now: number): string | undefined {
  if (attempt.outcome === 'success') return undefined
  if (attempt.status === 410) return 'The receiver answered 410: it is gone.'
  if (now - failingSince >= longestFailing) return 'Every delivery of the last three days failed.'
  return undefined
}

/** Turns a webhook off, and drops what waits for it: it would come all at once, and late, when it is turned on again. */
async function turnOff(context: WriteContext, webhook: Webhook, task: TakenTask, reason: string): Promise<void> {
  const { tx } = context
  const keys = { id: webhook.id }
  const waiting = await tx.listTasks(webhookDeliveries, keys, { limit: mostDropped })
  tx.replace(webhooks, keys, webhook, { ...webhook, on: false, disabledReason: reason })
  tx.discard(webhookFailures, keys)
  tx.finish(webhookDeliveries, keys, task)
  for (const { id } of waiting) if (id !== task.id) tx.finish(webhookDeliveries, keys, { id })
  context.remark(reason)
}
