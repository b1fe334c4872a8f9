import * as v from 'valibot'
import { requireOn, type Webhook, webhooks } from '../../models/webhooks/webhook.ts'
import { deliveryTask, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import { jsonBody } from '../../operation/body.ts'
import { changeLog } from '../../operation/change-log/change-log.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import type { WriteContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import type { Sample } from '../../storage/port.ts'
import { selectionOf, selectsEntry } from './webhook-audience.ts'

/** Maximum number of changes that a call replays. */
const maxReplayed = 10_000

/** Number of entries of the change log that are read at a time. */
const pageSize = 1_000

export const replayWebhook = operation({
  id: 'replayWebhook',
  summary:
    'Replay the changes of a time range that the current statements select; deliveries that are pending are not counted',
  method: 'POST',
  path: '/api/v2/webhooks/{id}/replay',
  body: jsonBody(
    v.strictObject({
      /** Start of the range, inclusive. */
      after: moment(),
      /** End of the range, exclusive. Default: all changes until now. */
      before: v.optional(moment()),
    }),
  ),
  success: { status: 200, body: v.object({ count: v.number() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'updateOn', resource: 'webhook/{id}' },
  async handle(context, { params: { id }, body: { after, before = context.readClock() + 1 } }) {
    const { tx, fail } = context
    const now = context.readClock()
    if (after >= before)
      fail('invalid_request', { errors: [{ attribute: 'before', reason: 'must be later than `after`' }] })
    const webhook = (await tx.get(webhooks, { id })) ?? fail('not_found')
    requireOn(webhook, fail)
    const entries = await selectedEntries(context, webhook, { after, before })
    if (entries.length > maxReplayed) {
      const reason = `selects more than ${maxReplayed} changes; request a shorter range`
      fail('invalid_request', { errors: [{ attribute: 'after', reason }] })
    }
    const tasks = entries.map((entry) => deliveryTask(entryId(entry), entry.label, { at: entry.at, due: now }))
    const enqueued = tx.enqueue(webhookDeliveries, { id }, tasks)
    return () => ({ count: enqueued.count })
  },
})

/** The time between two moments, in which entries were written. */
interface EntryRange {
  readonly after: number
  readonly before: number
}

/**
 * Returns the entries of a half-open range that the webhook selects, newest first; not all of them when there are too
 * many.
 */
async function selectedEntries(
  context: Pick<WriteContext, 'tx' | 'selects'>,
  webhook: Webhook,
  { after, before }: EntryRange,
): Promise<Sample[]> {
  const selection = selectionOf(webhook)
  const selected: Sample[] = []
  // An empty id sorts before every other id, so the bound itself is excluded.
  for (let cursor = { at: before, id: '' }; selected.length <= maxReplayed; ) {
    const page = await context.tx.newest(changeLog, {}, { limit: pageSize, before: cursor })
    const inRange = page.filter(({ at }) => at >= after)
    const isSelected = await Promise.all(
      inRange.map((entry) =>
        selectsEntry(webhook.id, selection, entry, (policy, change) => context.selects(policy, change)),
      ),
    )
    selected.push(...inRange.filter((_, index) => isSelected[index]))
    const lastEntry = page.at(-1)
    if (!lastEntry || inRange.length < pageSize) break
    cursor = lastEntry
  }
  return selected
}
