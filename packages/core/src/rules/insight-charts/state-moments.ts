import { type BucketQuestion, bucketsOf, firstAtOrAfter } from '../lead-time/buckets.ts'
import type { Horizon } from './flag-history.ts'

/**
 * Returns the times at which states are counted: the end of each bucket, or of the range, or now, whichever is
 * earliest. Buckets that begin now or later have none.
 *
 * @param now integer ms.
 * @returns ascending, one for each of the first buckets.
 */
export function stateMoments(question: BucketQuestion, now: number): Float64Array {
  const { from, to } = question
  const { start, width, count } = bucketsOf(question)
  const begun = Array.from({ length: count }, (_, i) => i).filter((i) => Math.max(start + i * width, from) < now)
  return Float64Array.from(begun, (i) => Math.min(start + (i + 1) * width, to, now))
}

/** Returns the range of time for which states must be known to count them at these times. */
export function horizonOf(moments: Float64Array): Horizon {
  return { from: moments[0] ?? 0, to: (moments.at(-1) ?? -1) + 1 }
}

/** Counts of several classes at several times. */
export interface StateTally<Class extends string> {
  /** Adds one at all times from `from`, inclusive, to `to`, exclusive. */
  add(of: Class, from: number, to: number): void
  /** Returns one number per time. */
  counts(of: Class): Int32Array
}

/**
 * Creates a tally that records only where each range begins and ends, so the cost of an addition does not depend on the
 * number of times.
 */
export function stateTally<Class extends string>(moments: Float64Array): StateTally<Class> {
  const differences = new Map<Class, Int32Array>()
  const differencesOf = (of: Class) => {
    const known = differences.get(of)
    if (known) return known
    const fresh = new Int32Array(moments.length + 1)
    differences.set(of, fresh)
    return fresh
  }
  return {
    add(of, from, to) {
      const first = firstAtOrAfter(moments, from, 0)
      const end = firstAtOrAfter(moments, to, first)
      if (first === end) return
      const changed = differencesOf(of)
      changed[first]!++
      changed[end]!--
    },
    counts(of) {
      const changed = differencesOf(of)
      let sum = 0
      return new Int32Array(moments.length).map((_, i) => (sum += changed[i]!))
    },
  }
}
