import { type BucketQuestion, bucketsOf, firstAtOrAfter } from '../lead-time/buckets.ts'
import type { Horizon } from './flag-history.ts'

/**
 * The moments at which things are counted as they stand: the end of each bucket, or of the range, or now, whichever
 * comes first. Buckets that begin now or later have none.
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

/** All that must be known of things to count them at some moments. */
export function horizonOf(moments: Float64Array): Horizon {
  return { from: moments[0] ?? 0, to: (moments.at(-1) ?? -1) + 1 }
}

/** Counts of several classes at some moments. */
export interface StateTally<Class extends string> {
  /** Counts a thing at all moments from one, inclusive, to before another. */
  add(of: Class, from: number, to: number): void
  /** One number per moment. */
  counts(of: Class): Int32Array
}

/** Counts by remembering where each stretch begins and ends, so what a thing costs does not depend on the moments. */
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
