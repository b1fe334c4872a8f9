import { type BucketQuestion, bucketsOf, cutIntoBuckets } from '../lead-time/buckets.ts'

/** A chart of how many there were. */
export interface CountChart {
  readonly series: readonly CountSeries[]
  /** Of the whole range, or of its end where things are counted as they stand. */
  readonly summary: Readonly<Record<string, number>>
}

/** One line of a chart, e.g. of an application. */
export interface CountSeries {
  readonly name: string
  /** How many there were in all points; of things counted as they stand, how many there are in the last one. */
  readonly count: number
  /** One per bucket, in order of time, also where there is nothing. */
  readonly points: readonly CountPoint[]
}

/** The counts of one bucket. */
export interface CountPoint {
  /** Start of the bucket, ms. */
  readonly x: number
  readonly y: number
  readonly values: Readonly<Record<string, number>>
}

/** What happened, in order of time. The shape of a storage's `SampleColumns`, which rules do not know. */
export interface EventColumns {
  /** Integer milliseconds UTC, ascending. */
  readonly at: Float64Array
  /** Each once. */
  readonly labels: readonly string[]
  /** Index into `labels`. */
  readonly label: Uint32Array
  /** Columns; NaN where there is no number. */
  readonly values: readonly Float64Array[]
}

/**
 * Counts events of several classes, bucket by bucket.
 *
 * @param at ascending; events outside of the range do not count.
 * @param classOf the class of an event, 0 to before `classes`; -1 for one that is not counted.
 * @returns for each class one number per bucket.
 */
export function countEvents(
  at: Float64Array,
  question: BucketQuestion,
  classes: number,
  classOf: (event: number) => number,
): Uint32Array[] {
  const buckets = bucketsOf(question)
  const cuts = cutIntoBuckets(at, question, buckets)
  const counts = Array.from({ length: classes }, () => new Uint32Array(buckets.count))
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    for (let event = cuts[bucket]!; event < cuts[bucket + 1]!; event++) {
      const of = counts[classOf(event)]
      if (of) of[bucket]!++
    }
  }
  return counts
}

/** Points at the buckets of a question. */
export function pointsAt(
  question: BucketQuestion,
  valuesOf: (bucket: number) => Omit<CountPoint, 'x'>,
): readonly CountPoint[] {
  const { start, width, count } = bucketsOf(question)
  return Array.from({ length: count }, (_, bucket) => ({ x: start + bucket * width, ...valuesOf(bucket) }))
}

/** Adds up counts of buckets. */
export function sumOf(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}
