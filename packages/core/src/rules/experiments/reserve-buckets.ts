/** Number of buckets into which a layer divides the contexts; a bucket is 1 percent. */
const bucketCount = 100

/** All contexts. */
export const allBuckets: readonly number[] = Array.from({ length: bucketCount }, (_, bucket) => bucket)

/**
 * Returns the buckets of a reservation after a change of its size. The reservation keeps as many of its buckets as
 * possible, so that contexts stay in their experiment.
 *
 * @param own buckets of the reservation before the change.
 * @param others buckets of the other reservations of the layer.
 * @param percent new size, integer 0 to 100.
 * @returns the buckets in ascending order; undefined when the layer does not have enough free buckets.
 */
export function reserveBuckets(
  own: readonly number[],
  others: readonly number[],
  percent: number,
): readonly number[] | undefined {
  const reserved = new Set([...own, ...others])
  const free = allBuckets.filter((bucket) => !reserved.has(bucket))
  if (own.length + free.length < percent) return undefined
  return [...own, ...free].slice(0, percent).sort((a, b) => a - b)
}
