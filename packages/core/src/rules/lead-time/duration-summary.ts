/**
 * What is kept of many durations, so that summaries of parts can be put together to the summary of the whole: count
 * and sum exactly, and of the distribution either the durations themselves or how many fall into each bin.
 *
 * Plain JSON, as it is stored.
 */
export interface DurationSummary {
  readonly count: number
  /** Milliseconds. */
  readonly sum: number
  /** The durations, ascending, each less the one before it. Where they are few; then there are no bins. */
  readonly steps?: readonly number[]
  /** How many durations are in each bin, from bin `first` on. */
  readonly bins?: readonly number[]
  readonly first?: number
}

/** Up to how many durations a summary keeps them all. */
const exactCount = 256

/** By how much a duration read from a bin may be off, as a share of the duration: 1 percent. */
export const binError = 0.01

// A hair less than allowed, so that rounding at the edge of a bin stays within.
const kept = binError * 0.999
const growth = (1 + kept) / (1 - kept)
const logGrowth = Math.log(growth)

/**
 * The bin of a duration. Bin 0 holds 0 ms; bin i > 0 holds what is above growth^(i-2) and at most growth^(i-1), so that
 * 1 ms has a bin of its own.
 */
export function binOf(duration: number): number {
  return duration < 1 ? 0 : Math.max(1, Math.ceil(Math.log(duration) / logGrowth) + 1)
}

/** The duration that stands for a bin: nowhere in it is further away than {@link binError}. */
export function durationOf(bin: number): number {
  return bin <= 1 ? bin : (2 * growth ** (bin - 1)) / (growth + 1)
}

/**
 * Summarises durations.
 *
 * @param durations whole milliseconds, none negative; left as they are.
 */
export function summaryOf(durations: Float64Array): DurationSummary {
  let sum = 0
  for (const duration of durations) sum += duration
  const count = durations.length
  if (count <= exactCount) return { count, sum, steps: stepsOf(durations.toSorted()) }
  const counts: number[] = []
  for (const duration of durations) {
    const bin = binOf(duration)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const first = counts.findIndex((one) => one !== undefined)
  return { count, sum, first, bins: Array.from(counts.slice(first), (one) => one ?? 0) }
}

/** The durations that a summary kept, ascending; undefined where it kept bins. */
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
