import * as v from 'valibot'
import { optionalJsonBody } from '../../operation/body.ts'
import { changeLog } from '../../operation/change-log/change-log.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import type { Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { type Destination, destinations } from './destination.ts'
import { changeTask, exportTasks } from './destination-outbox.ts'
import { receivesEntry } from './export-audience.ts'

/** Maximum number of changes that a call sends again. */
const maxReplayed = 10_000

/** Number of entries of the change log that are read at a time. */
const pageSize = 1_000

export const replayDestination = operation({
  id: 'replayDestination',
  summary:
    'Send the pending events of a destination immediately, and the changes of a time range again; changes that are still pending are not counted',
  method: 'POST',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}/replay',
  body: optionalJsonBody(
    v.strictObject({
      /** Start of the range, inclusive. Default: no change is sent again. */
      after: v.optional(moment()),
      /** End of the range, exclusive. Default: all changes until now. */
      before: v.optional(moment()),
    }),
  ),
  success: { status: 200, body: v.object({ count: v.number() }) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'updateOn', resource: 'proj/{projectKey}:env/{environmentKey}:destination/{id}' },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const now = context.readClock()
    const { before = now + 1, after = before } = body
    if (body.after !== undefined && after >= before)
      fail('invalid_request', { errors: [{ attribute: 'before', reason: 'must be later than `after`' }] })
    const destination = (await tx.get(destinations, params)) ?? fail('not_found')
    if (!destination.on) {
      const reason = 'must be true, because a destination that is off receives nothing'
      fail('invalid_request', { errors: [{ attribute: 'on', reason }] })
    }
    const [entries, [first]] = await Promise.all([
      entriesOf(tx, destination, { after, before }),
      tx.listTasks(exportTasks, params, { limit: 1 }),
    ])
    if (entries.length > maxReplayed) {
      const reason = `selects more than ${maxReplayed} changes; request a shorter range`
      fail('invalid_request', { errors: [{ attribute: 'after', reason }] })
    }
    if (first) {
      // The first task, which waits for its next attempt, becomes due immediately. The other tasks follow it.
      tx.finish(exportTasks, params, { id: first.id })
      tx.enqueue(exportTasks, params, [{ ...first, due: now }])
    }
    const replayed = tx.enqueue(
      exportTasks,
      params,
      entries.map((entry) => changeTask(entryId(entry), entry.at, now)),
    )
    return () => ({ count: replayed.count })
  },
})

/** The time between two moments, in which entries were written. */
interface EntryRange {
  readonly after: number
  readonly before: number
}

/**
 * Returns the entries of a half-open range that the destination receives, newest first; not all when there are too
 * many.
 */
async function entriesOf(
  tx: Pick<Reader, 'newest'>,
  destination: Destination,
  { after, before }: EntryRange,
): Promise<Sample[]> {
  const entries: Sample[] = []
  // An empty id sorts before every other id, so the bound itself is excluded.
  for (let cursor = { at: before, id: '' }; after < before && entries.length <= maxReplayed; ) {
    const page = await tx.newest(changeLog, {}, { limit: pageSize, before: cursor })
    const inRange = page.filter(({ at }) => at >= after)
    entries.push(...inRange.filter((entry) => receivesEntry(destination, entry)))
    const last = page.at(-1)
    if (!last || inRange.length < pageSize) break
    cursor = last
  }
  return entries
}
