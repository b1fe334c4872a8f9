import { type FlagStatus, flagStatuses } from '../flag-status/flag-status.ts'
import type { BucketQuestion } from '../lead-time/buckets.ts'
import { type CountChart, pointsAt } from './count-series.ts'
import { eachStatus, type FlagHistory } from './flag-history.ts'
import { horizonOf, stateMoments, stateTally } from './state-moments.ts'

/**
 * Counts flags by their status at the end of each bucket. Flags whose configuration at that time is unknown are in no
 * series; each point contains their number as `unknown`.
 *
 * @param now integer ms; all values of later buckets are 0.
 */
export function flagStatusChart(flags: Iterable<FlagHistory>, question: BucketQuestion, now: number): CountChart {
  const moments = stateMoments(question, now)
  const tally = stateTally<FlagStatus | 'unknown'>(moments)
  const horizon = horizonOf(moments)
  for (const flag of flags) eachStatus(flag, horizon, tally.add)
  const unknown = tally.counts('unknown')
  const series = flagStatuses.map((name) => {
    const counts = tally.counts(name)
    const points = pointsAt(question, (bucket) => {
      const count = counts[bucket] ?? 0
      return { y: count, values: { count, unknown: unknown[bucket] ?? 0 } }
    })
    return { name, count: counts.at(-1) ?? 0, points }
  })
  const present = Object.fromEntries(series.map(({ name, count }) => [name, count]))
  return { series, summary: { ...present, unknown: unknown.at(-1) ?? 0 } }
}
