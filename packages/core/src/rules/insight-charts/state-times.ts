import { type BucketQuery, bucketsOf, firstAtOrAfter } from '../lead-time/buckets.ts'
import type { TimeRange } from './flag-history.ts'

/**
 * Returns the time at which the states of each bucket are counted: the end of the bucket, the end of the range, or now,
 * whichever is earliest. Buckets that begin now or later have no such time.
 *
 * @param now integer ms.
 * @returns ascending, one for each of the first buckets.
 */
export function stateTimes(query: BucketQuery, now: number): Float64Array {
  const { from, to } = query
  const { start, width, count } = bucketsOf(query)
  const started = Array.from({ length: count }, (_, i) => i).filter((i) => Math.max(start + i * width, from) < now)
  return Float64Array.from(started, (i) => Math.min(start + (i + 1) * width, to, now))
}

/** Returns the range of time for which states must be known to count them at these times. */
export function rangeOf(times: Float64Array): TimeRange {
  return { from: times[0] ?? 0, to: (times.at(-1) ?? -1) + 1 }
}

/** Counts of several classes at several times. */
export interface StateTally<Class extends string> {
  /** Adds one at all times from `from`, inclusive, to `to`, exclusive. */
  add(name: Class, from: number, to: number): void
  /** Returns one number per time. */
  counts(name: Class): Int32Array
}

/**
 * Creates a tally that records only where each range begins and ends, so the cost of an addition does not depend on the
 * number of times.
 */
export function stateTally<Class extends string>(times: Float64Array): StateTally<Class> {
  const differences = new Map<Class, Int32Array>()
  const differencesOf = (name: Class) => {
    const existing = differences.get(name)
    if (existing) return existing
    const difference = new Int32Array(times.length + 1)
    differences.set(name, difference)
    return difference
  }
  return {
    add(name, from, to) {
      const first = firstAtOrAfter(times, from, 0)
      const end = firstAtOrAfter(times, to, first)
      if (first === end) return
      const difference = differencesOf(name)
      difference[first]!++
      difference[end]!--
    },
    counts(name) {
      const difference = differencesOf(name)
      let sum = 0
      return new Int32Array(times.length).map((_, i) => (sum += difference[i]!))
    },
  }
}
