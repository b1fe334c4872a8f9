import type { Cursor } from '../../operation/pages/cursor-page.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Series } from '../../storage/collection.ts'
import type { NewestQuery, Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

export interface EventRange {
  readonly limit: number
  /** `from` is inclusive, `to` exclusive: integer ms, UTC. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /**
   * `after`: only events older than this position. `before`: only events newer than this position. At most one of the
   * two is set.
   */
  readonly after?: Cursor | undefined
  readonly before?: Cursor | undefined
  readonly labels?: readonly string[]
}

/** Number of samples to read at a time when they are filtered, because few may match. */
const scanSize = 1_000

/** A series of samples of an environment. */
export interface EnvironmentSeries {
  readonly series: Series<'proj/{projectKey}:env/{environmentKey}'>
  readonly environmentKeys: EnvironmentRef
}

/**
 * Reads the events of a series next to a position, newest first.
 *
 * @param matches selects events; undefined for all. It runs here, because the storage selects by time and label only.
 */
export async function readEvents(
  tx: Reader,
  { series, environmentKeys }: EnvironmentSeries,
  range: EventRange,
  matches?: (sample: Sample) => boolean,
): Promise<readonly Sample[]> {
  const { limit, from, to, before, labels } = range
  const events: Sample[] = []
  const page = { limit: matches ? Math.max(scanSize, limit) : limit, ...(labels ? { labels } : {}) }
  let bound = before ? { since: positionOf(before) } : olderThan(range)
  for (;;) {
    const samples = await tx.newest(series, environmentKeys, {
      ...page,
      ...bound,
      ...(from === undefined ? {} : { from }),
    })
    const inRange = before && to !== undefined ? samples.filter(({ at }) => at < to) : samples
    const matching = matches ? inRange.filter(matches) : inRange
    if (before) events.unshift(...matching)
    else events.push(...matching)
    const isLast = samples.length < page.limit || inRange.length < samples.length
    if (isLast || events.length >= limit) return before ? events.slice(-limit) : events.slice(0, limit)
    bound = before ? { since: samples[0]! } : { before: samples.at(-1)! }
  }
}

/**
 * Returns the upper bound of the samples to read. The storage accepts one bound, so this is the earlier of `to` and
 * `after`.
 */
function olderThan({ to, after }: EventRange): Pick<NewestQuery, 'before'> {
  const edges = [
    ...(after ? [positionOf(after)] : []),
    // No sample has an empty id, so all samples of that time come after it.
    ...(to === undefined ? [] : [{ at: to, id: '' }]),
  ].sort((a, b) => a.at - b.at || compareCodePoints(a.id, b.id))
  return edges[0] ? { before: edges[0] } : {}
}

function positionOf({ at, key }: Cursor) {
  return { at, id: key }
}
