import type { BucketQuery } from '../lead-time/buckets.ts'
import { type CountChart, countEvents, type EventColumns, pointsAt, sumOf } from './count-series.ts'
import { perDay } from './per-day.ts'

/**
 * Kinds of changes that are releases of a flag: the flag was turned on, or the variations that contexts get changed
 * while its on/off state stayed the same.
 */
export const releaseKinds = ['turnedOn', 'served'] as const

/** The kind of change that released a flag. */
export type ReleaseKind = (typeof releaseKinds)[number]

/** The range, buckets and grouping of a chart of releases. */
export interface ReleaseQuery extends BucketQuery {
  /** Property by which releases are divided into series. Default: one series. */
  readonly groupBy?: 'kind'
}

/**
 * Counts releases of flags by their time.
 *
 * @param changes the first column is the index of the kind of release; NaN for a change that is not a release.
 */
export function releaseFrequencyChart({ at: times, values }: EventColumns, query: ReleaseQuery): CountChart {
  const counts = countEvents(times, query, releaseKinds.length, (change) => {
    const kind = values[0]![change]!
    return Number.isNaN(kind) ? -1 : kind
  })
  const series = releaseKinds.map((name, kind) => seriesOf(name, [counts[kind]!], query))
  const [turnedOn = 0, served = 0] = counts.map(sumOf)
  const releases = turnedOn + served
  return {
    series: query.groupBy ? series : [seriesOf('releases', counts, query)],
    summary: { releases, turnedOn, served, perDay: perDay(releases, query) },
  }
}

function seriesOf(name: string, counts: readonly Uint32Array[], query: ReleaseQuery) {
  const points = pointsAt(query, (bucket) => {
    const count = sumOf(counts.map((kindCounts) => kindCounts[bucket]!))
    return { y: count, values: { count } }
  })
  return { name, count: sumOf(counts.map(sumOf)), points }
}
