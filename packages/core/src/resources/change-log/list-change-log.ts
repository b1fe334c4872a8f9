import * as v from 'valibot'
import { changeLog } from '../../operation/change-log.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { integer, links, list, moment } from '../../operation/schema.ts'
import { changeLogEntryWire, entryId, presentEntry, readEntryId } from './change-log-wire.ts'

export const listChangeLog = operation({
  id: 'listChangeLog',
  summary: 'List what was changed, newest first; `cursor` is the `_id` of the last entry seen',
  method: 'GET',
  path: '/api/v2/auditlog',
  query: v.object({
    limit: v.optional(integer(1, 100), 20),
    before: v.optional(moment()),
    after: v.optional(moment(), 0),
    cursor: v.optional(v.string()),
    spec: v.optional(v.string()),
  }),
  success: { status: 200, body: v.object({ items: list(changeLogEntryWire), _links: links() }) },
  errors: ['invalid_request'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { query }) {
    const { limit, before, after, cursor, spec } = query
    const wrongCursor = { errors: [{ attribute: 'cursor', reason: 'must be the _id of an entry' }] }
    const seen =
      cursor === undefined ? undefined : (readEntryId(cursor) ?? context.fail('invalid_request', wrongCursor))
    const found = await context.tx.newest(
      changeLog,
      {},
      {
        limit: limit + 1,
        // An empty id stands before every other, so the bound itself is left out.
        before: seen ?? (before === undefined ? undefined : { at: before, id: '' }),
        labels: spec === undefined ? undefined : [spec],
      },
    )
    const shown = found.filter(({ at }) => at >= after).slice(0, limit)
    const last = shown.at(-1)
    const more = last !== undefined && found.length > limit && shown.length === limit
    return {
      items: shown.map((entry) => presentEntry(context, entry)),
      _links: {
        self: linkTo(context.url),
        ...(more ? { next: linkTo(withQuery(context.url, { cursor: entryId(last) })) } : {}),
      },
    }
  },
})
