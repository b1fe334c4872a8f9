import * as v from 'valibot'
import { webhooks } from '../../models/webhooks/webhook.ts'
import { recordedAttempt, webhookAttempts } from '../../models/webhooks/webhook-delivery.ts'
import { entryId, parseEntryId } from '../../operation/change-log/entry-id.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { integer, links, list } from '../../operation/schema.ts'
import { attemptResponse, serializeAttempt } from './webhook-delivery-response.ts'

/** Maximum number of attempts that are read for a page when it is filtered by outcome. */
const maxScanned = 1_000

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
  success: { status: 200, body: v.object({ items: list(attemptResponse), _links: links() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewWebhook', resource: 'webhook/{id}' },
  async handle(context, { params: { id }, query: { limit, cursor, delivery, outcome } }) {
    const wrongCursor = { errors: [{ attribute: 'cursor', reason: 'must be the _id of an attempt' }] }
    const before =
      cursor === undefined ? undefined : (parseEntryId(cursor) ?? context.fail('invalid_request', wrongCursor))
    const scanLimit = outcome === undefined ? limit + 1 : maxScanned + 1
    const labels = delivery === undefined ? undefined : [delivery]
    const [webhook, attempts] = await Promise.all([
      context.tx.get(webhooks, { id }),
      context.tx.newest(webhookAttempts, { id }, { limit: scanLimit, before, labels }),
    ])
    if (!webhook) return context.fail('not_found')
    const matching = attempts
      .slice(0, scanLimit - 1)
      .filter((attempt) => !outcome || recordedAttempt(attempt).outcome === outcome)
    const pageOfAttempts = matching.slice(0, limit)
    // A filtered page may be shorter than the limit although more attempts follow.
    const hasMore = attempts.length === scanLimit || matching.length > limit
    const lastAttempt = pageOfAttempts.length === limit ? pageOfAttempts.at(-1) : attempts.at(scanLimit - 2)
    return {
      items: pageOfAttempts.map((sample) => serializeAttempt(context.format, id, sample)),
      _links: {
        self: linkTo(context.url),
        ...(hasMore && lastAttempt ? { next: linkTo(withQuery(context.url, { cursor: entryId(lastAttempt) })) } : {}),
      },
    }
  },
})
