import type { AccountStorage, Change } from '../../storage/port.ts'
import { webhooks } from './webhook.ts'
import { attemptsKept, webhookAttempts } from './webhook-delivery.ts'

/**
 * Removes the attempts that are older than thirty days, of all webhooks.
 *
 * @param now integer ms, UTC.
 */
export async function trimWebhookAttempts(storage: AccountStorage, now: number): Promise<void> {
  const { items } = await storage.list({ collection: webhooks.name, scope: '', limit: 10_000, select: 'fields' })
  const trims = items.map(
    ({ key }): Change => ({ do: 'trim', series: webhookAttempts.id({ id: key }), before: now - attemptsKept }),
  )
  if (trims.length > 0) await storage.commit(trims)
}
