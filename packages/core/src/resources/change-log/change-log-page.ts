import * as v from 'valibot'
import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { entryId, parseEntryId } from '../../operation/change-log/entry-id.ts'
import type { Context, ReadContext } from '../../operation/context.ts'
import { linkTo, withQuery } from '../../operation/link.ts'
import { integer, links, list, moment } from '../../operation/schema.ts'
import type { CompiledPolicy } from '../../rules/policy/policy.ts'
import type { Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { changeLogEntryResponse, serializeEntries } from './change-log-response.ts'
import { type EntryFilter, type EntryQuery, entryFilter } from './entry-filter.ts'
import { selectsEntry } from './selects-entry.ts'

/** The query of a page of the change log. */
export const pageQuery = {
  limit: v.optional(integer(1, 100), 20),
  before: v.optional(moment()),
  after: v.optional(moment(), 0),
  cursor: v.optional(v.string()),
  q: v.optional(v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))),
}

export const changeLogPageResponse = v.object({ items: list(changeLogEntryResponse), _links: links() })

interface PageInput extends EntryQuery {
  readonly limit: number
  readonly before?: number | undefined
  readonly after: number
  readonly cursor?: string | undefined
}

/**
 * Returns a page of the change log, newest first.
 *
 * @param policy an entry matches when its statements select one of the changes. Default: all entries.
 * @throws ApiError `invalid_request` for an invalid query.
 */
export async function changeLogPage(
  context: Context<Reader, 'invalid_request'>,
  query: PageInput,
  policy?: CompiledPolicy,
): Promise<v.InferOutput<typeof changeLogPageResponse>> {
  const { limit, before, after, cursor, ...entryQuery } = query
  const cursorPosition = cursor === undefined ? undefined : parseEntryId(cursor)
  const filter = entryFilter(entryQuery)
  const validationErrors = [
    ...('terms' in filter ? [] : filter),
    ...(cursor === undefined || cursorPosition ? [] : [{ attribute: 'cursor', reason: 'must be the _id of an entry' }]),
  ]
  if (!('terms' in filter) || validationErrors.length > 0)
    return context.fail('invalid_request', { errors: validationErrors })
  // An empty id sorts before every other id, so the bound itself is excluded.
  const start = earlierPosition(cursorPosition, before === undefined ? undefined : { at: before, id: '' })
  const { entries, next } = await findEntries(context, selectionOf(context, filter, policy), {
    limit,
    before: start,
    from: after,
  })
  return {
    items: await serializeEntries(context, entries),
    _links: {
      self: linkTo(context.url),
      ...(next ? { next: linkTo(withQuery(context.url, { cursor: entryId(next) })) } : {}),
    },
  }
}

/** A filter whose test of an entry may read the attributes of the changed resources. */
interface EntrySelection extends Pick<EntryFilter, 'terms'> {
  readonly matches: ((entry: ChangeLogEntry) => boolean | Promise<boolean>) | undefined
}

function selectionOf(context: ReadContext, filter: EntryFilter, policy: CompiledPolicy | undefined): EntrySelection {
  const { terms, matches } = filter
  if (!policy) return { terms, matches: matches && ((entry) => matches(context, entry)) }
  return {
    terms,
    async matches(entry) {
      return ((await matches?.(context, entry)) ?? true) && (await selectsEntry(context, policy, entry))
    },
  }
}

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
 * Returns a page of entries and the start of the next page. A page can have fewer entries than the limit, or be empty,
 * although more entries follow.
 */
async function findEntries(
  { tx }: ReadContext,
  { terms, matches }: EntrySelection,
  { limit, before, from }: Range,
): Promise<{ readonly entries: readonly Sample[]; readonly next: LogPosition | undefined }> {
  const scanLimit = matches ? maxScannedEntries : limit
  const options = { limit: scanLimit + 1, from, ...(before ? { before } : {}), ...(terms.length > 0 ? { terms } : {}) }
  const scanned = await tx.newest(changeLog, {}, options)
  const isMatching = await Promise.all(
    scanned.slice(0, scanLimit).map(({ body }) => matches?.(body as ChangeLogEntry) ?? true),
  )
  const matching = scanned.filter((_, index) => isMatching[index])
  if (matching.length > limit) return { entries: matching.slice(0, limit), next: matching[limit - 1] }
  return { entries: matching, next: scanned.length > scanLimit ? scanned[scanLimit - 1] : undefined }
}
