import { valuesAtRanks } from './ranked-values.ts'

/** Statistics of a set of durations; all 0 if it is empty. Milliseconds, not rounded. */
export interface DurationStats extends Partial<Percentiles> {
  readonly count: number
  readonly mean: number
}

/** Percentiles of a set of durations, ms. */
export type Percentiles = { readonly [name in PercentileName]: number }

type PercentileName = (typeof percentiles)[number][0]

// Whole percents, so that a rank that is a whole number is computed as one.
const percentiles = [
  ['p50', 50],
  ['p75', 75],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
] as const

/**
 * Returns the count and the mean of durations and, if requested, their percentiles.
 *
 * The sum of whole milliseconds is exact up to 2^53, which is 285,000 years of lead time; the mean of a greater sum has
 * an error smaller than the spacing of doubles at that sum.
 */
export function durationStats(durations: Float64Array, withPercentiles: boolean): DurationStats {
  const count = durations.length
  let sum = 0
  for (let i = 0; i < count; i++) sum += durations[i]!
  const mean = count === 0 ? 0 : sum / count
  if (!withPercentiles) return { count, mean }
  const find = (ranks: readonly number[]) => valuesAtRanks(durations, ranks)
  return { count, mean, ...percentilesAt(count, find) }
}

/**
 * Computes percentiles by linear interpolation between closest ranks: type 7 of Hyndman and Fan, the default of R,
 * called `percentile_cont` by Postgres (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 *
 * @param count number of durations; if it is 0, all percentiles are 0.
 * @param find returns the durations that have these ranks, which ascend, after sorting.
 */
export function percentilesAt(count: number, find: (ranks: readonly number[]) => readonly number[]): Percentiles {
  const last = Math.max(count - 1, 0)
  const positions = percentiles.map(([, percent]) => (last * percent) / 100)
  const ranks = positions.flatMap((position) => [Math.floor(position), Math.ceil(position)])
  const values = count === 0 ? ranks.map(() => 0) : find(ranks)
  const entries = percentiles.map(([name], i) => {
    const [below, above] = [values[2 * i]!, values[2 * i + 1]!]
    return [name, below + (positions[i]! % 1) * (above - below)] as const
  })
  return Object.fromEntries(entries) as Percentiles
}
