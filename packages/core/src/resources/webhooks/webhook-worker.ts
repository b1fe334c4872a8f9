import { signingSecrets, type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import {
  type RecordedAttempt,
  type WaitingDelivery,
  webhookDeliveries,
  webhookFailures,
} from '../../models/webhooks/webhook-delivery.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { Host } from '../../operation/context.ts'
import type { SendOutcome } from '../../operation/sender.ts'
import type {
  QueueWithoutWorker,
  TaskContext,
  TaskResult,
  TaskWorker,
  TaskWorkerTools,
} from '../../operation/tasks/task-worker.ts'
import { parseAddress, type Resource } from '../../rules/address.ts'
import { nextAttemptAt, retryAfterAt } from '../../rules/webhook-retry/retry-plan.ts'
import { signWebhook } from '../../rules/webhook-signature/sign-webhook.ts'
import type { TakenTask } from '../../storage/port.ts'
import { findEntry } from '../change-log/find-entry.ts'
import { recordAttempt } from './record-attempt.ts'
import { deliveryMessage, type EntryDelivery } from './webhook-message.ts'

/**
 * Maximum time for the response of a receiver, in ms
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 */
const timeoutMs = 15_000

/** Maximum number of webhooks, and of deliveries of each webhook, that are searched for due deliveries. */
const maxCheckedQueues = 1000
const maxCheckedTasks = 100

const missingSenderMessage =
  'webhooks.send must be set: to deliver webhooks, an engine needs the sender of the Node package, fetchSender() where private networks cannot be reached, or webhooks: false to send nothing'

/**
 * Makes the worker that sends the deliveries of webhooks
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks); undefined when the engine sends nothing.
 * Without a sender, deliveries wait for an engine that has one.
 */
export function webhookWorker({ send }: Pick<TaskWorkerTools, 'send'>): TaskWorker | QueueWithoutWorker | undefined {
  if (send === undefined) {
    return { queue: webhookDeliveries.name, reason: missingSenderMessage, hasDueTask: hasDueDelivery }
  }
  if (!send) return undefined
  return {
    queue: webhookDeliveries.name,
    caller: 'system/webhooks',
    maxMs: timeoutMs,
    async work(task, context) {
      const { tx, host } = context
      const id = (parseAddress(task.scope) as Resource)[0]?.key as string
      const { event, attempt } = task.body as WaitingDelivery
      const entryPosition = parseEntryId(task.id)
      const [webhook, failures, entry] = await Promise.all([
        tx.get(webhooks, { id }),
        tx.get(webhookFailures, { id }),
        event === 'change' && entryPosition ? findEntry(tx, entryPosition) : undefined,
      ])
      if (!webhook?.on || (event === 'change' && !entry)) return drop(context, id, task)
      const outcome = await send(await messageOf(context, webhook, { delivery: task.id, entry }))
      if (outcome.outcome === 'failed' && context.signal?.aborted) return postponeUnchanged(context, id, task)
      const now = host.now()
      const recorded = recordOf(task.id, { event, number: attempt + 1 }, outcome)
      const notBefore = notBeforeOf(outcome, now)
      const next = nextAttemptAt({
        attempt: attempt + 1,
        now,
        chance: chanceOf(host),
        ...(notBefore ? { notBefore } : {}),
      })
      const written = await context.write('deliverWebhook', (write) =>
        recordAttempt(write, { webhook, failingSince: failures?.since ?? now, task, attempt: recorded, next }),
      )
      if (!written) return { outcome: 'lost' }
      if (recorded.outcome === 'success') return { outcome: 'done' }
      return { outcome: 'failed', ...(notBefore ? { notBefore } : {}) }
    },
  }
}

async function hasDueDelivery({ tx, host }: Pick<TaskContext, 'tx' | 'host'>): Promise<boolean> {
  const { items } = await tx.list(webhooks, {}, { limit: maxCheckedQueues })
  for (const { id } of items) {
    const tasks = await tx.listTasks(webhookDeliveries, { id }, { limit: maxCheckedTasks })
    if (tasks.some(({ due }) => due <= host.now())) return true
  }
  return false
}

/** Drops a delivery whose webhook is off, or whose entry is no longer in the change log. */
async function drop({ write }: TaskContext, id: string, task: TakenTask): Promise<TaskResult> {
  const recorded = await write('deliverWebhook', async ({ tx }) => tx.finish(webhookDeliveries, { id }, task))
  return { outcome: recorded ? 'dropped' : 'lost' }
}

/**
 * Postpones a task and leaves it unchanged, because the host aborted the attempt. An aborted attempt does not count as
 * a failure of the receiver.
 */
async function postponeUnchanged({ write }: TaskContext, id: string, task: TakenTask): Promise<TaskResult> {
  await write('deliverWebhook', async ({ tx }) => tx.postpone(webhookDeliveries, { id }, task, task))
  return { outcome: 'lost' }
}

async function messageOf(context: TaskContext, webhook: Webhook, { delivery, entry }: EntryDelivery) {
  const { host, signal } = context
  const timestampMs = host.now()
  const { url, body } = await deliveryMessage(context, webhook, { delivery, entry })
  const signed = await signWebhook({ id: delivery, timestampMs, body, secrets: signingSecrets(webhook, timestampMs) })
  const headers = { 'content-type': 'application/json', 'user-agent': 'halyard-webhooks', ...signed }
  return { url, headers, body, timeoutMs, ...(signal ? { signal } : {}) }
}

function recordOf(
  delivery: string,
  attemptInfo: Pick<RecordedAttempt, 'event' | 'number'>,
  outcome: SendOutcome,
): RecordedAttempt {
  if (outcome.outcome === 'failed') return { ...attemptInfo, delivery, outcome: 'failure', reason: outcome.reason }
  const { status, ms, body: response } = outcome
  const withResponse = { ...attemptInfo, delivery, status, ms, response }
  if (status >= 200 && status < 300) return { ...withResponse, outcome: 'success' }
  return { ...withResponse, outcome: 'failure', reason: reasonOf(status) }
}

function reasonOf(status: number): string {
  if (status === 410) return 'The receiver responded with 410 (Gone).'
  if (status >= 300 && status < 400) return `The receiver responded with ${status}; redirects are not followed.`
  return `The receiver responded with ${status}.`
}

/** Returns the time from `Retry-After` of an overloaded receiver. */
function notBeforeOf(response: SendOutcome, now: number): number | undefined {
  if (response.outcome !== 'answered' || (response.status !== 429 && response.status !== 503)) return undefined
  return retryAfterAt(response.retryAfter, now)
}

function chanceOf({ randomHex }: Host): number {
  return Number.parseInt(randomHex(4), 16) / 2 ** 32
}
