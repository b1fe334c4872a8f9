/** Time axis of a chart: a half-open range and its division into buckets. All values in integer milliseconds, UTC. */
export interface BucketQuery {
  /** Start of the range, inclusive. */
  readonly from: number
  /** End of the range, exclusive. */
  readonly to: number
  /** `hour` and `day` buckets begin at full hours and days of UTC; `rolling` buckets are counted back from `to`. */
  readonly bucketType: 'rolling' | 'hour' | 'day'
  /** Width of `rolling` buckets, at least 1; ignored for other kinds of buckets. */
  readonly bucketMs: number
}

/** Adjacent buckets of one width; bucket i begins at `start + i * width`. */
export interface Buckets {
  readonly start: number
  readonly width: number
  readonly count: number
}

const hour = 3_600_000

/**
 * Divides a range into buckets that cover it (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 *
 * The first bucket, and for `hour` and `day` also the last, may extend beyond the range; it then contains only what is
 * in the range, but keeps its position on the axis: the starts of buckets are always one width apart.
 *
 * Days of UTC all have 24 hours, so no calendar is needed.
 */
export function bucketsOf({ from, to, bucketType, bucketMs }: BucketQuery): Buckets {
  if (to <= from) return { start: from, width: bucketMs, count: 0 }
  if (bucketType === 'rolling') {
    const count = Math.ceil((to - from) / bucketMs)
    return { start: to - count * bucketMs, width: bucketMs, count }
  }
  const width = bucketType === 'hour' ? hour : 24 * hour
  const start = Math.floor(from / width) * width
  return { start, width, count: Math.ceil((to - start) / width) }
}

/**
 * Returns the number of buckets of a query, so that the caller can compare it with a limit before it reads any sample.
 */
export function bucketCount(query: BucketQuery): number {
  return bucketsOf(query).count
}

/**
 * Divides ordered times into buckets.
 *
 * @param times ascending.
 * @returns `count + 1` indexes: the times of bucket i are those from `result[i]` to before `result[i + 1]`.
 */
export function cutIntoBuckets(times: Float64Array, { from, to }: BucketQuery, buckets: Buckets): Uint32Array {
  const boundaries = new Uint32Array(buckets.count + 1)
  for (let i = 0; i <= buckets.count; i++) {
    const edge = Math.min(Math.max(buckets.start + i * buckets.width, from), to)
    boundaries[i] = firstAtOrAfter(times, edge, i === 0 ? 0 : boundaries[i - 1]!)
  }
  return boundaries
}

/** Returns true if one of the times, which are ascending, is in the half-open range. */
export function hasTimeIn(times: Float64Array, from: number, to: number): boolean {
  const first = times[firstAtOrAfter(times, from, 0)]
  return first !== undefined && first < to
}

/**
 * Returns the index of the first time that is not before `time`. Binary search in ascending times, from an index before
 * which all times are known to be earlier.
 */
export function firstAtOrAfter(times: Float64Array, time: number, startIndex: number): number {
  let low = startIndex
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}
