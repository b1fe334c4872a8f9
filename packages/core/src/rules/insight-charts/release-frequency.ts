import type { BucketQuestion } from '../lead-time/buckets.ts'
import { type CountChart, countEvents, type EventColumns, pointsAt, sumOf } from './count-series.ts'
import { perDay } from './per-day.ts'

/**
 * Kinds of changes that are releases of a flag: it was turned on, or other contexts get other variations without a
 * change of its on/off state.
 */
export const releaseKinds = ['turnedOn', 'served'] as const

/** The kind of change that released a flag. */
export type ReleaseKind = (typeof releaseKinds)[number]

/** The range, buckets and grouping of a chart of releases. */
export interface ReleaseQuestion extends BucketQuestion {
  /** If omitted, there is one series. */
  readonly groupBy?: 'kind'
}

/**
 * Counts releases of flags by their time.
 *
 * @param changes the first column is the index of the kind of release; NaN for a change that is not a release.
 */
export function releaseFrequencyChart({ at, values }: EventColumns, question: ReleaseQuestion): CountChart {
  const counts = countEvents(at, question, releaseKinds.length, (change) => {
    const kind = values[0]![change]!
    return Number.isNaN(kind) ? -1 : kind
  })
  const series = releaseKinds.map((name, kind) => seriesOf(name, [counts[kind]!], question))
  const [turnedOn = 0, served = 0] = counts.map(sumOf)
  const releases = turnedOn + served
  return {
    series: question.groupBy ? series : [seriesOf('releases', counts, question)],
    summary: { releases, turnedOn, served, perDay: perDay(releases, question) },
  }
}

function seriesOf(name: string, counts: readonly Uint32Array[], question: ReleaseQuestion) {
  const points = pointsAt(question, (bucket) => {
    const count = sumOf(counts.map((one) => one[bucket]!))
    return { y: count, values: { count } }
  })
  return { name, count: sumOf(counts.map(sumOf)), points }
}
