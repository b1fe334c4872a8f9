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
import { maxFailingTime } from '../../rules/webhook-retry/retry-plan.ts'
import type { TakenTask } from '../../storage/port.ts'

/**
 * Maximum number of pending deliveries that are removed in the commit that turns the webhook off. The others are
 * dropped when they become due.
 */
const maxDropped = 10_000

export interface AttemptToRecord {
  /** The webhook in the version from which the message was made. */
  readonly webhook: Webhook
  /** Time of the first failure since the last success, including this attempt: integer ms. */
  readonly failingSince: number
  readonly task: TakenTask
  readonly attempt: RecordedAttempt
  /** Time of the next attempt: integer ms, UTC; undefined when no attempt follows. */
  readonly next: number | undefined
}

/**
 * Writes the outcome of an attempt and its consequence: the delivery is finished, is retried, or its webhook is turned
 * off (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 */
export async function recordAttempt(context: WriteContext, input: AttemptToRecord): Promise<void> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  const { webhook, task, attempt, next } = input
  const keys = { id: webhook.id }
  const current = await tx.get(webhooks, keys)
  if (!current) return tx.finish(webhookDeliveries, keys, task)
  tx.append(webhookAttempts, keys, [attemptSample(host.newId(), now, attempt)])
  const reason = disablingReason(input, now)
  // A webhook whose URL was changed concurrently stays on.
  if (reason !== undefined && current.on && current.url === webhook.url) return turnOff(context, current, task, reason)
  // The attempts are deleted with the webhook, and none may be added afterwards.
  tx.expect(webhooks, keys, current)
  if (attempt.outcome === 'success') {
    tx.finish(webhookDeliveries, keys, task)
    return tx.discard(webhookFailures, keys)
  }
  tx.ensure(webhookFailures, keys, { since: now })
  const pending: WaitingDelivery = { event: attempt.event, attempt: attempt.number }
  if (next === undefined) tx.finish(webhookDeliveries, keys, task)
  else tx.postpone(webhookDeliveries, keys, task, { due: next, body: pending })
}

function disablingReason({ attempt, failingSince }: AttemptToRecord, now: number): string | undefined {
  if (attempt.outcome === 'success') return undefined
  if (attempt.status === 410) return 'The receiver responded with 410 (Gone).'
  if (now - failingSince >= maxFailingTime) return 'Every delivery of the last three days failed.'
  return undefined
}

/**
 * Turns a webhook off and drops its pending deliveries, which would otherwise all be sent late when it is turned on
 * again.
 */
async function turnOff(context: WriteContext, webhook: Webhook, task: TakenTask, reason: string): Promise<void> {
  const { tx } = context
  const keys = { id: webhook.id }
  const pending = await tx.listTasks(webhookDeliveries, keys, { limit: maxDropped })
  tx.replace(webhooks, keys, webhook, { ...webhook, on: false, disabledReason: reason })
  tx.discard(webhookFailures, keys)
  tx.finish(webhookDeliveries, keys, task)
  for (const { id } of pending) if (id !== task.id) tx.finish(webhookDeliveries, keys, { id })
  context.setComment(reason)
}
