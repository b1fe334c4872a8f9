import { type DurationStats, durationStats, percentilesAt } from './duration-stats.ts'
import { binOf, type DurationSummary, durationOf, durationsOf } from './duration-summary.ts'

/** Collects durations from several parts, raw or summarized, for common statistics. */
export interface DurationPool {
  add(durations: Float64Array): void
  addSummary(summary: DurationSummary): void
  /**
   * Returns the statistics. Count and mean are exact; percentiles are exact if no part had bins, otherwise within
   * `binError`.
   */
  stats(withPercentiles: boolean): DurationStats
}

/** Creates an empty pool. */
export function durationPool(): DurationPool {
  const parts: Float64Array[] = []
  const binnedSummaries: DurationSummary[] = []
  let count = 0
  let sum = 0

  function add(durations: Float64Array): void {
    if (durations.length === 0) return
    parts.push(durations)
    count += durations.length
  }

  return {
    add,
    addSummary(summary) {
      const durations = durationsOf(summary)
      if (durations) return add(durations)
      binnedSummaries.push(summary)
      count += summary.count
      sum += summary.sum
    },
    stats(withPercentiles) {
      if (binnedSummaries.length === 0) return durationStats(concatenate(parts), withPercentiles)
      let total = sum
      for (const durations of parts) for (const duration of durations) total += duration
      const mean = total / count
      return withPercentiles
        ? { count, mean, ...percentilesAt(count, ranksIn(countBins(parts, binnedSummaries))) }
        : { count, mean }
    },
  }
}

function concatenate(parts: readonly Float64Array[]): Float64Array {
  const [only] = parts
  if (parts.length <= 1) return only ?? new Float64Array(0)
  const all = new Float64Array(parts.reduce((size, { length }) => size + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** Returns the number of durations in each bin, over all parts. */
function countBins(parts: readonly Float64Array[], binnedSummaries: readonly DurationSummary[]): Float64Array {
  let size = 0
  for (const { bins = [], first = 0 } of binnedSummaries) size = Math.max(size, first + bins.length)
  for (const durations of parts) {
    const longest = durations.reduce((maximum, duration) => Math.max(maximum, duration), 0)
    size = Math.max(size, binOf(longest) + 1)
  }
  const counts = new Float64Array(size)
  for (const durations of parts) for (const duration of durations) counts[binOf(duration)]!++
  for (const { bins = [], first = 0 } of binnedSummaries)
    for (let i = 0; i < bins.length; i++) counts[first + i]! += bins[i]!
  return counts
}

/** Creates a function that finds the durations at ascending ranks. */
function ranksIn(counts: Float64Array): (ranks: readonly number[]) => number[] {
  return (ranks) => {
    let bin = 0
    let countBefore = 0
    return ranks.map((rank) => {
      while (rank >= countBefore + counts[bin]!) countBefore += counts[bin++]!
      return durationOf(bin)
    })
  }
}
