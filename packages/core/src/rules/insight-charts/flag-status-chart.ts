import { type FlagStatus, flagStatuses } from '../flag-status/flag-status.ts'
import type { BucketQuery } from '../lead-time/buckets.ts'
import { type CountChart, pointsAt } from './count-series.ts'
import { eachStatus, type FlagHistory } from './flag-history.ts'
import { rangeOf, stateTally, stateTimes } from './state-times.ts'

/**
 * Counts flags by their status at the end of each bucket. Flags whose configuration at that time is unknown are in no
 * series; each point contains their number as `unknown`.
 *
 * @param now integer ms; all values of later buckets are 0.
 */
export function flagStatusChart(flags: Iterable<FlagHistory>, query: BucketQuery, now: number): CountChart {
  const times = stateTimes(query, now)
  const tally = stateTally<FlagStatus | 'unknown'>(times)
  const range = rangeOf(times)
  for (const flag of flags) eachStatus(flag, range, tally.add)
  const unknown = tally.counts('unknown')
  const series = flagStatuses.map((name) => {
    const counts = tally.counts(name)
    const points = pointsAt(query, (bucket) => {
      const count = counts[bucket] ?? 0
      return { y: count, values: { count, unknown: unknown[bucket] ?? 0 } }
    })
    return { name, count: counts.at(-1) ?? 0, points }
  })
  const present = Object.fromEntries(series.map(({ name, count }) => [name, count]))
  return { series, summary: { ...present, unknown: unknown.at(-1) ?? 0 } }
}
