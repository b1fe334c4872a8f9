import { type DurationStats, durationStats, percentilesAt } from './duration-stats.ts'
import { valuesAtRanks } from './ranked-values.ts'

/**
 * Durations of one stage, ordered by bucket: the durations of bucket i end before index `ends[i]`. No duration is
 * negative or NaN.
 */
export interface BucketedDurations {
  readonly durations: Float64Array
  readonly ends: Uint32Array
}

// Bins are computed from the upper half of a double: the exponent relative to that of 1, and some bits of the fraction.
// Values up to 2^53 have bins of their own.
const halfOfOne = 0x3ff00000
const droppedBits = 14
const lastBin = 53 * 2 ** (20 - droppedBits) + 1

const upperHalf = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1

/** Number of durations up to which sorting is faster than counting into bins (measured on V8). */
const smallSize = 400

/**
 * Returns the exact statistics of each bucket and of all buckets together.
 *
 * All buckets have the same bins, so each duration is assigned to its bin once: the counts of all buckets add up to the
 * counts of the whole range, and only the bins that contain a rank are searched.
 */
export function bucketStats(
  { durations, ends }: BucketedDurations,
  withPercentiles: boolean,
): { readonly buckets: readonly DurationStats[]; readonly all: DurationStats } {
  const sortedStats = (first: number, end: number) => durationStats(durations.subarray(first, end), withPercentiles)
  const mapBuckets = (compute: (first: number, end: number) => DurationStats) =>
    Array.from(ends, (end, i) => compute(i === 0 ? 0 : ends[i - 1]!, end))
  const size = durations.length
  if (!withPercentiles || size <= smallSize) return { buckets: mapBuckets(sortedStats), all: sortedStats(0, size) }
  const bins = new Uint16Array(size)
  const counts = new Uint32Array(lastBin + 1)
  const allCounts = new Uint32Array(lastBin + 1)
  const percentiles = selection(durations, bins)
  let total = 0
  const buckets = mapBuckets((first, end) => {
    const count = end - first
    if (count <= smallSize) {
      total += countBins(durations, bins, allCounts, { first, end })
      return sortedStats(first, end)
    }
    const sum = countBins(durations, bins, counts.fill(0), { first, end })
    total += sum
    for (let bin = 0; bin <= lastBin; bin++) allCounts[bin]! += counts[bin]!
    return { count, mean: sum / count, ...percentiles(counts, first, end) }
  })
  const [only] = buckets
  const onlyBucket = buckets.length === 1 && only
  return { buckets, all: onlyBucket || { count: size, mean: total / size, ...percentiles(allCounts, 0, size) } }
}

/** A range of indexes, without its end. */
interface IndexRange {
  readonly first: number
  readonly end: number
}

/** Assigns durations to bins. Returns their sum. */
function countBins(
  durations: Float64Array,
  bins: Uint16Array,
  counts: Uint32Array,
  { first, end }: IndexRange,
): number {
  const halves = new Uint32Array(durations.buffer, durations.byteOffset, 2 * durations.length)
  let sum = 0
  for (let i = first; i < end; i++) {
    const half = halves[2 * i + upperHalf]!
    const bin = half < halfOfOne ? 0 : Math.min(((half - halfOfOne) >>> droppedBits) + 1, lastBin)
    bins[i] = bin
    counts[bin]!++
    sum += durations[i]!
  }
  return sum
}

/** Creates a function that finds the percentiles of a range of durations by the counts of its bins. */
function selection(durations: Float64Array, bins: Uint16Array) {
  const isSelected = new Uint8Array(lastBin + 1)
  return (counts: Uint32Array, first: number, end: number) =>
    percentilesAt(end - first, (ranks) => {
      const { wanted: selectedBins, size, ranksWithin } = selectBins(counts, ranks)
      isSelected.fill(0)
      for (const bin of selectedBins) isSelected[bin] = 1
      const selected = new Float64Array(size + 1)
      let next = 0
      for (let i = first; i < end; i++) {
        // Every value is written, but the index advances only past selected values, because a branch would be
        // mispredicted too often.
        selected[next] = durations[i]!
        next += isSelected[bins[i]!]!
      }
      return valuesAtRanks(selected.subarray(0, size), ranksWithin)
    })
}

/**
 * Returns the bins that contain the given ranks, ascending.
 *
 * @returns also the number of values in these bins, and the ranks of the selected values among them.
 */
function selectBins(counts: Uint32Array, ranks: readonly number[]) {
  const selectedBins: number[] = []
  let bin = 0
  let countBefore = 0
  let skipped = 0
  const ranksWithin = ranks.map((rank) => {
    while (rank >= countBefore + counts[bin]!) {
      if (selectedBins.at(-1) !== bin) skipped += counts[bin]!
      countBefore += counts[bin++]!
    }
    if (selectedBins.at(-1) !== bin) selectedBins.push(bin)
    return rank - skipped
  })
  return { wanted: selectedBins, size: countBefore - skipped + counts[bin]!, ranksWithin }
}
