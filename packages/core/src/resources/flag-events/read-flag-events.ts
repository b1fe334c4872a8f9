import type { Cursor } from '../../operation/pages/cursor-page.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Series } from '../../storage/collection.ts'
import type { NewestQuery, Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

export interface EventRange {
  readonly limit: number
  /** `from` is inclusive, `to` exclusive: integer ms, UTC. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Events older than a position, or newer ones. At most one of both. */
  readonly after?: Cursor | undefined
  readonly before?: Cursor | undefined
  readonly labels?: readonly string[]
}

/** Number of samples to read at once when they are filtered, because few may match. */
const looked = 1_000

/**
 * Reads the events of a series next to a position, newest first.
 *
 * @param matches selects events; undefined for all. It runs here, because the storage selects by time and label only.
 */
export async function readEvents(
  tx: Reader,
  series: Series<'proj/{projectKey}:env/{environmentKey}'>,
  place: Place,
  range: EventRange,
  wanted?: (sample: Sample) => boolean,
): Promise<readonly Sample[]> {
  const { limit, from, to, before, labels } = range
  const found: Sample[] = []
  const page = { limit: wanted ? Math.max(looked, limit) : limit, ...(labels ? { labels } : {}) }
  let edge = before ? { since: placeOf(before) } : olderThan(range)
  for (;;) {
    const some = await tx.newest(series, place, { ...page, ...edge, ...(from === undefined ? {} : { from }) })
    const inTime = before && to !== undefined ? some.filter(({ at }) => at < to) : some
    const picked = wanted ? inTime.filter(wanted) : inTime
    if (before) found.unshift(...picked)
    else found.push(...picked)
    const isLast = some.length < page.limit || inTime.length < some.length
    if (isLast || found.length >= limit) return before ? found.slice(-limit) : found.slice(0, limit)
    edge = before ? { since: some[0]! } : { before: some.at(-1)! }
  }
}

/** The storage accepts one upper bound: the earlier of the two. */
function olderThan({ to, after }: EventRange): Pick<NewestQuery, 'before'> {
  const edges = [
    ...(after ? [placeOf(after)] : []),
    // No sample has an empty id, so all samples of that time come after it.
    ...(to === undefined ? [] : [{ at: to, id: '' }]),
  ].sort((a, b) => a.at - b.at || compareCodePoints(a.id, b.id))
  return edges[0] ? { before: edges[0] } : {}
}

function placeOf({ at, key }: Cursor) {
  return { at, id: key }
}
