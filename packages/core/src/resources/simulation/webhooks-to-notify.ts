import { type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import { webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import type { DryRunResult } from '../../operation/dry-run.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Change } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { selectionOf, selectsEntry } from '../webhooks/webhook-audience.ts'
import type { SimulatedWebhook } from './simulation.ts'

/** Returns the webhooks that would receive deliveries of the changes and that the caller may view, by id. */
export async function webhooksToNotify(
  tx: Reader,
  changes: readonly Change[],
  result: Pick<DryRunResult, 'entry' | 'selects' | 'allowed'>,
): Promise<SimulatedWebhook[]> {
  const deliveries = webhookDeliveries.id({ id: '' }).name
  const ids = changes.flatMap((change) =>
    change.do === 'enqueue' && change.queue.name === deliveries
      ? [parseAddress(change.queue.scope)?.at(-1)?.key as string]
      : [],
  )
  const storedWebhooks = await tx.getMany(
    webhooks,
    ids.map((id) => ({ id })),
  )
  const visible = await Promise.all(storedWebhooks.map((webhook) => webhook && visibleWebhook(webhook, result)))
  return visible.filter((webhook) => webhook !== undefined).sort((a, b) => (a._id < b._id ? -1 : 1))
}

async function visibleWebhook(
  webhook: Webhook,
  { entry, selects, allowed }: Pick<DryRunResult, 'entry' | 'selects' | 'allowed'>,
): Promise<SimulatedWebhook | undefined> {
  const { id, name, url, statements } = webhook
  if (!entry || !(await allowed('viewWebhook', webhooks, { id }, webhook))) return undefined
  const selected = await Promise.all(
    statements.map(
      (statement) =>
        statement.effect === 'allow' && selectsEntry(id, selectionOf({ statements: [statement] }), entry, selects),
    ),
  )
  return { _id: id, name, host: new URL(url).host, statements: statements.filter((_, index) => selected[index]) }
}
