import { compareCodePoints } from '@halyard/core/storage'

/** Number of changes above which sorting all keys is cheaper than inserting and removing single keys. */
const maxInsertions = 64

/** The keys of an index in code-point order. They are sorted when they are read, not when they change. */
export interface KeyOrder {
  sorted: string[]
  /** Keys that were added or removed since `sorted` was computed; undefined when there were too many to list. */
  touched: string[] | undefined
}

/** Makes the sorted list of keys of an empty index. */
export function createKeyOrder(): KeyOrder {
  return { sorted: [], touched: [] }
}

/** Copies the key order for a copy of its index. */
export function copyKeyOrder(order: KeyOrder): KeyOrder {
  return { sorted: [...order.sorted], touched: order.touched && [...order.touched] }
}

/** Records that a key was added to the index or removed from it. */
export function touchKey(order: KeyOrder, key: string): void {
  if (order.touched === undefined) return
  if (order.touched.length < maxInsertions) order.touched.push(key)
  else order.touched = undefined
}

/**
 * Returns the keys of an index in code-point order.
 *
 * @param index the index, which contains a touched key if the key still exists.
 * @returns the order's own array, which is valid until the index changes. The caller does not change it.
 */
export function keysInOrder(
  order: KeyOrder,
  index: ReadonlyMap<string, unknown> | ReadonlySet<string>,
): readonly string[] {
  if (order.touched === undefined) order.sorted = [...index.keys()].sort(compareCodePoints)
  else for (const key of order.touched) updatePosition(order.sorted, key, index.has(key))
  order.touched = []
  return order.sorted
}

function updatePosition(sorted: string[], key: string, expected: boolean): void {
  const index = lowerBound(sorted, key)
  const present = sorted[index] === key
  if (expected && !present) sorted.splice(index, 0, key)
  if (!expected && present) sorted.splice(index, 1)
}

/** Returns the index of the first key that is not smaller than `key`, or the length when all keys are smaller. */
export function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareCodePoints(sorted[middle]!, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
