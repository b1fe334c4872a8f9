import { webhooks } from '../../models/webhooks/webhook.ts'
import { attemptRetentionMs, webhookAttempts } from '../../models/webhooks/webhook-delivery.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'

/**
 * Removes the attempts of all webhooks that are older than thirty days.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimWebhookAttempts(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const before = host.now() - attemptRetentionMs
  const { items } = await storage.list({ collection: webhooks.name, scope: '', limit: 10_000, select: 'fields' })
  const trims = items.map(({ key }): Change => ({ do: 'trim', series: webhookAttempts.id({ id: key }), before }))
  if (trims.length > 0) await storage.commit(trims)
  return { days: 0, more: false }
}
