import { LRUCache } from 'lru-cache'
import { type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import { deliveryTask, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import type { Audience, ChangeSelector } from '../../operation/audience.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { addressOf } from '../../rules/address.ts'
import { type CompiledPolicy, compilePolicy } from '../../rules/policy/policy.ts'
import type { ListedDocument, Sample } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { compileRole } from '../policy.ts'

/** Maximum number of webhooks that receive changes, by key; more than any account has. */
const maxWebhooks = 10_000

// Limited by size, because `max` allocates all entries in advance, which costs time in engines that are made for one
// test.
const cacheLimits = { maxSize: maxWebhooks, sizeCalculation: () => 1 }

/** The changes that a webhook receives; undefined for all. */
type Selection = CompiledPolicy | undefined

/**
 * Makes the function that enqueues the deliveries of a change: one task for each webhook that is on and whose
 * statements select the change, in the batch of the change
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks). Their rows are read with each change;
 * their compiled statements are cached by version.
 */
export function webhookAudience(): Audience {
  const cachedSelections = new LRUCache<string, { readonly selection: Selection }>(cacheLimits)

  async function selectionsOf(reads: Pick<StorageReads, 'getMany'>, rows: readonly ListedDocument[]) {
    const cacheKeyOf = ({ key, version }: { key: string; version: number }) => `${version} ${key}`
    const missingIds = rows
      .filter((row) => !cachedSelections.has(cacheKeyOf(row)))
      .map(({ key }) => webhooks.id({ id: key }))
    const documents = missingIds.length === 0 ? [] : await reads.getMany(missingIds)
    for (const document of documents) {
      if (document) cachedSelections.set(cacheKeyOf(document), { selection: selectionOf(document.body as Webhook) })
    }
    // If a webhook was changed concurrently, no cached document has the version of its row, so the current document is
    // used.
    const currentDocuments = new Map(
      documents.flatMap((document) => (document ? [[document.key, document] as const] : [])),
    )
    return rows.flatMap((row) => {
      const cached = cachedSelections.get(cacheKeyOf(currentDocuments.get(row.key) ?? row))
      return cached ? [{ id: row.key, ...cached }] : []
    })
  }

  return (reads) => {
    const pendingRows = reads.list({
      collection: webhooks.name,
      scope: '',
      where: [{ op: 'equals', field: 'on', value: true }],
      limit: maxWebhooks,
      select: 'fields',
    })
    // When the handler fails, no caller awaits this promise, so its error is ignored.
    pendingRows.catch(() => {})
    return async (tx, entry, selects) => {
      const { items } = await pendingRows
      const candidates = await selectionsOf(reads, items)
      for (const { id, selection } of candidates) {
        if (!(await selectsEntry(id, selection, entry, selects))) continue
        const task = deliveryTask(entryId(entry), entry.label, { at: entry.at, due: entry.at })
        tx.enqueue(webhookDeliveries, { id }, [task])
      }
    }
  }
}

/** Compiles the statements of a webhook. */
export function selectionOf({ statements }: Pick<Webhook, 'statements'>): Selection {
  return statements.length === 0 ? undefined : compilePolicy([compileRole({ name: 'webhook', statements })])
}

/** Returns true if a webhook receives an entry. A webhook does not receive changes of itself. */
export async function selectsEntry(
  id: string,
  selection: Selection,
  entry: Sample,
  selects: ChangeSelector,
): Promise<boolean> {
  const ownResource = addressOf(webhooks.resource({ id }))
  const changes = (entry.body as ChangeLogEntry).changes.filter(({ resource }) => resource !== ownResource)
  if (!selection) return changes.length > 0
  for (const change of changes) if (await selects(selection, change)) return true
  return false
}
