import fc from 'fast-check'
import type { BucketQuery } from '../buckets.ts'

const hour = 3_600_000
const day = 24 * hour

/** Random times shortly before and after the ranges of `anyAxis`: around the end of February of a leap year. */
export const anyTime = fc.integer({ min: Date.UTC(2024, 1, 26), max: Date.UTC(2024, 2, 4) })

/** Random ranges and buckets of charts, as properties for `fc.record`. */
export const anyAxis = {
  from: fc.integer({ min: Date.UTC(2024, 1, 27), max: Date.UTC(2024, 1, 29) }),
  to: fc.integer({ min: Date.UTC(2024, 1, 29, 0, 1), max: Date.UTC(2024, 2, 3) }),
  bucketType: fc.constantFrom('rolling', 'hour', 'day'),
  bucketMs: fc.integer({ min: hour, max: 2 * day }),
}

/** Returns the starts of buckets, by the calendar of `Date`, or counted back from the end. */
export function referenceStarts({ from, to, bucketType, bucketMs }: BucketQuery): number[] {
  const starts: number[] = []
  if (bucketType === 'rolling') {
    for (let end = to; end > from; end -= bucketMs) starts.unshift(end - bucketMs)
    return starts
  }
  const clock = new Date(from)
  if (bucketType === 'day') clock.setUTCHours(0)
  clock.setUTCMinutes(0, 0, 0)
  while (clock.getTime() < to) {
    starts.push(clock.getTime())
    if (bucketType === 'day') clock.setUTCDate(clock.getUTCDate() + 1)
    else clock.setUTCHours(clock.getUTCHours() + 1)
  }
  return starts
}
