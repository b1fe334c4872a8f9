import { compareCodePoints } from '@halyard/core/storage'

/** Above so many changes since the last look, sorting anew is cheaper than mending. */
const mendable = 64

/** The keys of an index in code-point order, put in order when somebody looks and not before. */
export interface KeyOrder {
  sorted: string[]
  /** Keys that came or went since `sorted` was right; undefined when they were too many to keep. */
  touched: string[] | undefined
}

/** Makes the order of an index that is still empty. */
export function createKeyOrder(): KeyOrder {
  return { sorted: [], touched: [] }
}

/** Copies an order together with its index. */
export function copyKeyOrder(order: KeyOrder): KeyOrder {
  return { sorted: [...order.sorted], touched: order.touched && [...order.touched] }
}

/** Notes that a key was added to the index or removed from it. */
export function touchKey(order: KeyOrder, key: string): void {
  if (order.touched === undefined) return
  if (order.touched.length < mendable) order.touched.push(key)
  else order.touched = undefined
}

/**
 * The keys of an index by code point.
 *
 * @param index the truth: whether a touched key is in.
 * @returns the order's own array, right until the index changes again; not to be changed.
 */
export function keysInOrder(
  order: KeyOrder,
  index: ReadonlyMap<string, unknown> | ReadonlySet<string>,
): readonly string[] {
  if (order.touched === undefined) order.sorted = [...index.keys()].sort(compareCodePoints)
  else for (const key of order.touched) mend(order.sorted, key, index.has(key))
  order.touched = []
  return order.sorted
}

function mend(sorted: string[], key: string, wanted: boolean): void {
  const at = firstNotBefore(sorted, key)
  const present = sorted[at] === key
  if (wanted && !present) sorted.splice(at, 0, key)
  if (!wanted && present) sorted.splice(at, 1)
}

/** Index of the first key that does not come before `key`; the length when all do. */
export function firstNotBefore(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareCodePoints(sorted[middle]!, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
