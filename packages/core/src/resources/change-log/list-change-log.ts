import * as v from 'valibot'
import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { commaList, integer, links, list, moment } from '../../operation/schema.ts'
import type { Sample } from '../../storage/port.ts'
import { changeLogEntryResponse, entryId, parseEntryId, serializeEntries } from './change-log-response.ts'
import { type EntryFilter, entryFilter } from './entry-filter.ts'

export const listChangeLog = operation({
  id: 'listChangeLog',
  summary:
    'List the entries of the change log, newest first; `cursor` is the `_id` of the last entry of the previous page',
  method: 'GET',
  path: '/api/v2/auditlog',
  query: v.object({
    limit: v.optional(integer(1, 100), 20),
    before: v.optional(moment()),
    after: v.optional(moment(), 0),
    cursor: v.optional(v.string()),
    spec: v.optional(v.string()),
    action: v.optional(v.pipe(commaList(), v.maxLength(100, 'must contain at most 100 actions'))),
    member: v.optional(v.string()),
    token: v.optional(v.string()),
    kind: v.optional(v.string()),
    q: v.optional(v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))),
  }),
  success: { status: 200, body: v.object({ items: list(changeLogEntryResponse), _links: links() }) },
  errors: ['invalid_request'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { query }) {
    const { limit, before, after, cursor, ...entryQuery } = query
    const cursorPosition = cursor === undefined ? undefined : parseEntryId(cursor)
    const filter = entryFilter(entryQuery)
    const validationErrors = [
      ...('terms' in filter ? [] : filter),
      ...(cursor === undefined || cursorPosition
        ? []
        : [{ attribute: 'cursor', reason: 'must be the _id of an entry' }]),
    ]
    if (!('terms' in filter) || validationErrors.length > 0)
      return context.fail('invalid_request', { errors: validationErrors })
    // An empty id sorts before every other id, so the bound itself is excluded.
    const start = earlierPosition(cursorPosition, before === undefined ? undefined : { at: before, id: '' })
    const { entries, next } = await findEntries(context, filter, { limit, before: start, from: after })
    return {
      items: await serializeEntries(context, entries),
      _links: {
        self: linkTo(context.url),
        ...(next ? { next: linkTo(withQuery(context.url, { cursor: entryId(next) })) } : {}),
      },
    }
  },
})

function earlierPosition(a: LogPosition | undefined, b: LogPosition | undefined): LogPosition | undefined {
  if (!a || !b) return a ?? b
  return a.at < b.at || (a.at === b.at && a.id < b.id) ? a : b
}

/**
 * Maximum number of entries that one call reads when their terms do not express the whole query. It bounds the cost of
 * a query that matches rarely.
 */
const maxScannedEntries = 1_000

interface Range {
  readonly limit: number
  readonly before: LogPosition | undefined
  readonly from: number
}

/**
 * Returns a page of entries and the start of the next page. A page can have fewer entries than the limit, or none,
 * although more follow.
 */
async function findEntries(
  { tx }: ReadContext,
  { terms, matches }: EntryFilter,
  { limit, before, from }: Range,
): Promise<{ readonly entries: readonly Sample[]; readonly next: LogPosition | undefined }> {
  const scanLimit = matches ? maxScannedEntries : limit
  const options = { limit: scanLimit + 1, from, ...(before ? { before } : {}), ...(terms.length > 0 ? { terms } : {}) }
  const scanned = await tx.newest(changeLog, {}, options)
  const matching = scanned.slice(0, scanLimit).filter(({ body }) => matches?.(body as ChangeLogEntry) ?? true)
  if (matching.length > limit) return { entries: matching.slice(0, limit), next: matching[limit - 1] }
  return { entries: matching, next: scanned.length > scanLimit ? scanned[scanLimit - 1] : undefined }
}
