import * as v from 'valibot'
import { entryId, parseEntryId } from '../../operation/change-log/entry-id.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { integer, links, list, timestamp } from '../../operation/schema.ts'
import { destinations } from './destination.ts'
import { exportAttempt, exportAttempts, exportTasks } from './destination-outbox.ts'

/** Maximum number of attempts that are read for a page when it is filtered by outcome. */
const maxScanned = 1_000

export const listDestinationDeliveries = operation({
  id: 'listDestinationDeliveries',
  summary: 'List the attempts to send to a destination, newest first; `cursor` comes from the link `next`',
  method: 'GET',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}/deliveries',
  query: v.object({
    limit: v.optional(integer(1, 100), 20),
    cursor: v.optional(v.string()),
    outcome: v.optional(v.picklist(['success', 'failure', 'dropped'])),
  }),
  success: {
    status: 200,
    body: v.object({
      items: list(
        v.object({
          _id: v.string(),
          date: timestamp(),
          /** Id of the first change or batch of events. It stays the same when the change or batch is sent again. */
          deliveryId: v.string(),
          outcome: v.picklist(['success', 'failure', 'dropped']),
          /** Reason of a failure, or why events were dropped, as a sentence. */
          reason: v.optional(v.string()),
          status: v.optional(v.number()),
          ms: v.optional(v.number()),
          /** 1 for the first attempt. */
          number: v.number(),
          /** Number of events of the attempt. */
          events: v.number(),
          /** Number of events that were left out because they are larger than the destination accepts. */
          skipped: v.optional(v.number()),
        }),
      ),
      /** True when the destination has not received everything yet. */
      waiting: v.boolean(),
      /** Time from which the next attempt is made, while something waits. */
      nextAttemptDate: v.optional(timestamp()),
      _links: links(),
    }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query: { limit, cursor, outcome } }) {
    const wrongCursor = { errors: [{ attribute: 'cursor', reason: 'must be the _id of an attempt' }] }
    const before =
      cursor === undefined ? undefined : (parseEntryId(cursor) ?? context.fail('invalid_request', wrongCursor))
    const scanLimit = outcome === undefined ? limit + 1 : maxScanned + 1
    const [destination, samples, [next]] = await Promise.all([
      context.tx.get(destinations, params),
      context.tx.newest(exportAttempts, params, { limit: scanLimit, before }),
      context.tx.listTasks(exportTasks, params, { limit: 1 }),
    ])
    if (!destination) return context.fail('not_found')
    const matching = samples
      .slice(0, scanLimit - 1)
      .filter((sample) => outcome === undefined || exportAttempt(sample).outcome === outcome)
    const items = matching.slice(0, limit)
    // A filtered page may be shorter than the limit although more attempts follow.
    const hasMore = samples.length === scanLimit || matching.length > limit
    const last = items.length === limit ? items.at(-1) : samples.at(scanLimit - 2)
    return {
      items: items.map((sample) => {
        const { delivery, ...attempt } = exportAttempt(sample)
        return { _id: entryId(sample), date: context.format.time(sample.at), deliveryId: delivery, ...attempt }
      }),
      waiting: next !== undefined,
      ...(next ? { nextAttemptDate: context.format.time(next.due) } : {}),
      _links: {
        self: linkTo(context.url),
        ...(hasMore && last ? { next: linkTo(withQuery(context.url, { cursor: entryId(last) })) } : {}),
      },
    }
  },
})
