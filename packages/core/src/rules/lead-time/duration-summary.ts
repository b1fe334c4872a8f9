/**
 * Summary of many durations; summaries of parts can be combined into the summary of the whole. It contains count and
 * sum exactly, and as distribution either the durations themselves or the number of durations in each bin. Plain JSON,
 * as it is stored.
 */
export interface DurationSummary {
  readonly count: number
  /** Sum of the durations, ms. */
  readonly sum: number
  /**
   * The durations in ascending order, each as the difference from the previous duration. Present only if there are few
   * durations; then there are no bins.
   */
  readonly steps?: readonly number[]
  /** Number of durations in each bin, starting with bin `first`. */
  readonly bins?: readonly number[]
  readonly first?: number
}

/** Maximum number of durations that a summary stores individually. */
export const exactCount = 256

/** Maximum relative error of a duration that is read from a bin: 1 percent. */
export const binError = 0.01

// Slightly less than allowed, so that rounding at the edge of a bin stays within the limit.
const effectiveError = binError * 0.999
const growth = (1 + effectiveError) / (1 - effectiveError)
const logGrowth = Math.log(growth)

/**
 * Returns the bin of a duration. Bin 0 contains 0 ms; bin i > 0 contains durations above growth^(i-2) and at most
 * growth^(i-1), so that 1 ms has its own bin.
 */
export function binOf(duration: number): number {
  return duration < 1 ? 0 : Math.max(1, Math.ceil(Math.log(duration) / logGrowth) + 1)
}

/** Returns the duration that represents a bin: no duration in the bin differs from it by more than {@link binError}. */
export function durationOf(bin: number): number {
  return bin <= 1 ? bin : (2 * growth ** (bin - 1)) / (growth + 1)
}

/**
 * Summarizes durations.
 *
 * @param durations whole milliseconds, none negative; not modified.
 */
export function summarizeDurations(durations: Float64Array): DurationSummary {
  let sum = 0
  for (const duration of durations) sum += duration
  const count = durations.length
  if (count <= exactCount) return { count, sum, steps: stepsOf(durations.toSorted()) }
  const binCounts: number[] = []
  for (const duration of durations) {
    const bin = binOf(duration)
    binCounts[bin] = (binCounts[bin] ?? 0) + 1
  }
  const first = binCounts.findIndex((binCount) => binCount !== undefined)
  return { count, sum, first, bins: Array.from(binCounts.slice(first), (count) => count ?? 0) }
}

/** Returns the durations that a summary stores individually, ascending; undefined if it has bins. */
export function durationsOf({ steps }: DurationSummary): Float64Array | undefined {
  if (!steps) return undefined
  const durations = new Float64Array(steps.length)
  let duration = 0
  for (let i = 0; i < steps.length; i++) durations[i] = duration += steps[i] as number
  return durations
}

function stepsOf(ascending: Float64Array): number[] {
  return Array.from(ascending, (duration, i) => duration - (ascending[i - 1] ?? 0))
}
