import { type BucketQuery, bucketsOf, cutIntoBuckets } from '../lead-time/buckets.ts'

/** A chart of counts. */
export interface CountChart {
  readonly series: readonly CountSeries[]
  /** Counts over the whole range, or at its end if the chart counts a current state. */
  readonly summary: Readonly<Record<string, number>>
}

/** One line of a chart, e.g. of an application. */
export interface CountSeries {
  readonly name: string
  /** Sum of all points; if the chart counts a current state, the value of the last point. */
  readonly count: number
  /** One point per bucket in order of time, including empty buckets. */
  readonly points: readonly CountPoint[]
}

/** The counts of one bucket. */
export interface CountPoint {
  /** Start of the bucket, ms. */
  readonly x: number
  readonly y: number
  readonly values: Readonly<Record<string, number>>
}

/** Events in order of time. It has the shape of a storage's `SampleColumns`, a type that rules do not import. */
export interface EventColumns {
  /** Integer milliseconds UTC, ascending. */
  readonly at: Float64Array
  /** The names of all events, each once. */
  readonly labels: readonly string[]
  /** For each event, the index of its name in `labels`. */
  readonly label: Uint32Array
  /** Columns; NaN if there is no number. */
  readonly values: readonly Float64Array[]
}

/**
 * Counts events of several classes by bucket.
 *
 * @param times ascending; events outside of the range are ignored.
 * @param classOf returns the class of an event, from 0 to less than `classes`; -1 for an event that is not counted.
 * @returns for each class one number per bucket.
 */
export function countEvents(
  times: Float64Array,
  query: BucketQuery,
  classes: number,
  classOf: (event: number) => number,
): Uint32Array[] {
  const buckets = bucketsOf(query)
  const boundaries = cutIntoBuckets(times, query, buckets)
  const counts = Array.from({ length: classes }, () => new Uint32Array(buckets.count))
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    for (let event = boundaries[bucket]!; event < boundaries[bucket + 1]!; event++) {
      const counter = counts[classOf(event)]
      if (counter) counter[bucket]!++
    }
  }
  return counts
}

/** Creates one point for each bucket of a query. */
export function pointsAt(
  query: BucketQuery,
  valuesOf: (bucket: number) => Omit<CountPoint, 'x'>,
): readonly CountPoint[] {
  const { start, width, count } = bucketsOf(query)
  return Array.from({ length: count }, (_, bucket) => ({ x: start + bucket * width, ...valuesOf(bucket) }))
}

/** Returns the sum of counts. */
export function sumOf(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}
