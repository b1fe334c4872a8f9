import { LRUCache } from 'lru-cache'
import { type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import { deliveryTask, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import type { Audience, Selects } from '../../operation/audience.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { addressOf } from '../../rules/address.ts'
import { type CompiledPolicy, compilePolicy } from '../../rules/policy/policy.ts'
import type { ListedDocument, Sample } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { entryId } from '../change-log/change-log-wire.ts'
import { compileRole } from '../policy.ts'

/** Webhooks that are told of changes, the first by key; nobody has so many. */
const mostWebhooks = 10_000

// Bounded by size: with `max` all room is taken at once, and an engine that is made for one test pays for it.
const bounded = { maxSize: mostWebhooks, sizeCalculation: () => 1 }

/** What a webhook is told of; undefined stands for everything. */
type Selection = CompiledPolicy | undefined

/**
 * Makes the way from a change to the webhooks that are told of it: a task for each that is on and whose statements
 * select the change, in the batch of the change (D32). Their rows are asked for with each change; what their statements
 * mean is remembered by version.
 */
export function webhookAudience(): Audience {
  const remembered = new LRUCache<string, { readonly selection: Selection }>(bounded)

  async function selectionsOf(reads: Pick<StorageReads, 'getMany'>, rows: readonly ListedDocument[]) {
    const placeOf = ({ key, version }: { key: string; version: number }) => `${version} ${key}`
    const unknown = rows.filter((row) => !remembered.has(placeOf(row))).map(({ key }) => webhooks.id({ id: key }))
    const found = unknown.length === 0 ? [] : await reads.getMany(unknown)
    for (const document of found) {
      if (document) remembered.set(placeOf(document), { selection: selectionOf(document.body as Webhook) })
    }
    // One that changed meanwhile is not found by its version here, but it is told by what it is now.
    const now = new Map(found.flatMap((document) => (document ? [[document.key, document] as const] : [])))
    return rows.flatMap((row) => {
      const known = remembered.get(placeOf(now.get(row.key) ?? row))
      return known ? [{ id: row.key, ...known }] : []
    })
  }

  return (reads) => {
    const asked = reads.list({
      collection: webhooks.name,
      scope: '',
      where: [{ op: 'equals', field: 'on', value: true }],
      limit: mostWebhooks,
      select: 'fields',
    })
    // Where the handler fails nobody waits for it.
    asked.catch(() => {})
    return async (tx, entry, selects) => {
      const { items } = await asked
      const told = await selectionsOf(reads, items)
      for (const { id, selection } of told) {
        if (!(await isTold(id, selection, entry, selects))) continue
        const task = deliveryTask(entryId(entry), entry.label, { at: entry.at, due: entry.at })
        tx.enqueue(webhookDeliveries, { id }, [task])
      }
    }
  }
}

/** What the statements of a webhook select. */
export function selectionOf({ statements }: Pick<Webhook, 'statements'>): Selection {
  return statements.length === 0 ? undefined : compilePolicy([compileRole({ name: 'webhook', statements })])
}

/** Whether a webhook is told of an entry: of a change to itself only the others are. */
export async function isTold(id: string, selection: Selection, entry: Sample, selects: Selects): Promise<boolean> {
  const itself = addressOf(webhooks.resource({ id }))
  const changes = (entry.body as ChangeLogEntry).changes.filter(({ resource }) => resource !== itself)
  if (!selection) return changes.length > 0
  for (const change of changes) if (await selects(selection, change)) return true
  return false
}
