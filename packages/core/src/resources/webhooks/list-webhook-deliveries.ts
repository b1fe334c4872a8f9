import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { recordedAttempt, webhookAttempts } from '../../models/webhooks/webhook-delivery.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { integer, links, list } from '../../operation/schema.ts'
import { entryId, readEntryId } from '../change-log/change-log-wire.ts'
import { attemptWire, presentAttempt } from './webhook-delivery-wire.ts'

/** Maximum number of attempts that are read for a page when it is filtered by outcome. */
const mostLookedAt = 1_000

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  summary: 'List the delivery attempts of a webhook, newest first; `cursor` comes from the link `next`',
  method: 'GET',
  path: '/api/v2/webhooks/{id}/deliveries',
  query: v.object({
    limit: v.optional(integer(1, 100), 20),
    cursor: v.optional(v.string()),
    delivery: v.optional(v.string()),
    outcome: v.optional(v.picklist(['success', 'failure'])),
  }),
  success: { status: 200, body: v.object({ items: list(attemptWire), _links: links() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  async handle(context, { params: { id }, query: { limit, cursor, delivery, outcome } }) {
    const wrongCursor = { errors: [{ attribute: 'cursor', reason: 'must be the _id of an attempt' }] }
    const before =
      cursor === undefined ? undefined : (readEntryId(cursor) ?? context.fail('invalid_request', wrongCursor))
    const looked = outcome === undefined ? limit + 1 : mostLookedAt + 1
    const labels = delivery === undefined ? undefined : [delivery]
    const [webhook, found] = await Promise.all([
      context.tx.get(webhooks, { id }),
      context.tx.newest(webhookAttempts, { id }, { limit: looked, before, labels }),
    ])
    if (!webhook) return context.fail('not_found')
    const matching = found.slice(0, looked - 1).filter((one) => !outcome || recordedAttempt(one).outcome === outcome)
    const shown = matching.slice(0, limit)
    // A filtered page may be shorter than the limit although more attempts follow.
    const more = found.length === looked || matching.length > limit
    const last = shown.length === limit ? shown.at(-1) : found.at(looked - 2)
    return {
      items: shown.map((sample) => presentAttempt(context.format, id, sample)),
      _links: {
        self: linkTo(context.url),
        ...(more && last ? { next: linkTo(withQuery(context.url, { cursor: entryId(last) })) } : {}),
      },
    }
  },
})
