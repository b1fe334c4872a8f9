import { type Figures, figuresOf, percentilesAt } from './figures.ts'
import { valuesAtRanks } from './ranked-values.ts'

/** Durations of one stage, ordered by bucket: those of bucket i end before index `ends[i]`. None is negative or NaN. */
export interface BucketedDurations {
  readonly durations: Float64Array
  readonly ends: Uint32Array
}

// Bins are computed from the upper half of a double: its exponent, from that of 1 on, and some bits of its fraction, up
// to 2^53.
const halfOfOne = 0x3ff00000
const droppedBits = 14
const lastBin = 53 * 2 ** (20 - droppedBits) + 1

const upper = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1

/** Number of durations up to which sorting is faster than counting into bins (measured on V8). */
const smallSize = 400

/**
 * Returns the exact statistics of each bucket and of all buckets together.
 *
 * All buckets have the same bins, so each duration is assigned to its bin once: the counts of the buckets add up to
 * those of the whole, and only the bins that contain a rank are searched.
 */
export function figuresOfBuckets(
  { durations, ends }: BucketedDurations,
  withPercentiles: boolean,
): { readonly buckets: readonly Figures[]; readonly all: Figures } {
  const plain = (first: number, end: number) => figuresOf(durations.subarray(first, end), withPercentiles)
  const eachBucket = (figures: (first: number, end: number) => Figures) =>
    Array.from(ends, (end, i) => figures(i === 0 ? 0 : ends[i - 1]!, end))
  const size = durations.length
  if (!withPercentiles || size <= smallSize) return { buckets: eachBucket(plain), all: plain(0, size) }
  const bins = new Uint16Array(size)
  const counts = new Uint32Array(lastBin + 1)
  const allCounts = new Uint32Array(lastBin + 1)
  const percentiles = selection(durations, bins)
  let total = 0
  const buckets = eachBucket((first, end) => {
    const count = end - first
    if (count <= smallSize) {
      total += countBins(durations, bins, allCounts, first, end)
      return plain(first, end)
    }
    const sum = countBins(durations, bins, counts.fill(0), first, end)
    total += sum
    for (let bin = 0; bin <= lastBin; bin++) allCounts[bin]! += counts[bin]!
    return { count, mean: sum / count, ...percentiles(counts, first, end) }
  })
  const [only] = buckets
  const isOne = buckets.length === 1 && only
  return { buckets, all: isOne || { count: size, mean: total / size, ...percentiles(allCounts, 0, size) } }
}

/** Assigns durations to bins. Returns their sum. */
function countBins(
  durations: Float64Array,
  bins: Uint16Array,
  counts: Uint32Array,
  first: number,
  end: number,
): number {
  const halves = new Uint32Array(durations.buffer, durations.byteOffset, 2 * durations.length)
  let sum = 0
  for (let i = first; i < end; i++) {
    const half = halves[2 * i + upper]!
    const bin = half < halfOfOne ? 0 : Math.min(((half - halfOfOne) >>> droppedBits) + 1, lastBin)
    bins[i] = bin
    counts[bin]!++
    sum += durations[i]!
  }
  return sum
}

/** Creates a function that finds the percentiles of a range of durations by the counts of its bins. */
function selection(durations: Float64Array, bins: Uint16Array) {
  const isWanted = new Uint8Array(lastBin + 1)
  return (counts: Uint32Array, first: number, end: number) =>
    percentilesAt(end - first, (ranks) => {
      const { wanted, size, ranksWithin } = wantedBins(counts, ranks)
      isWanted.fill(0)
      for (const bin of wanted) isWanted[bin] = 1
      const found = new Float64Array(size + 1)
      let next = 0
      for (let i = first; i < end; i++) {
        // Every value is written, but the index advances only past selected ones: a branch would be mispredicted too
        // often.
        found[next] = durations[i]!
        next += isWanted[bins[i]!]!
      }
      return valuesAtRanks(found.subarray(0, size), ranksWithin)
    })
}

/**
 * Returns the bins that contain the given ranks, ascending.
 *
 * @returns also the number of values in these bins, and the ranks of the selected values among them.
 */
function wantedBins(counts: Uint32Array, ranks: readonly number[]) {
  const wanted: number[] = []
  let bin = 0
  let before = 0
  let left = 0
  const ranksWithin = ranks.map((rank) => {
    while (rank >= before + counts[bin]!) {
      if (wanted.at(-1) !== bin) left += counts[bin]!
      before += counts[bin++]!
    }
    if (wanted.at(-1) !== bin) wanted.push(bin)
    return rank - left
  })
  return { wanted, size: before - left + counts[bin]!, ranksWithin }
}
