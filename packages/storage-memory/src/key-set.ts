import { copyKeyOrder, createKeyOrder, type KeyOrder, keysInOrder, lowerBound, touchKey } from './key-order.ts'
import type { LeafKind } from './scoped-store.ts'

/** A set of keys that can be read page by page. */
export interface KeySet {
  readonly keys: Set<string>
  readonly order: KeyOrder
}

export const keySetKind: LeafKind<KeySet> = {
  create: () => ({ keys: new Set(), order: createKeyOrder() }),
  copy: ({ keys, order }) => ({ keys: new Set(keys), order: copyKeyOrder(order) }),
  size: ({ keys }) => keys.size,
}

/** Adds keys to the set, and returns how many of them it did not contain before. */
export function addKeys({ keys, order }: KeySet, newKeys: readonly string[]): number {
  const before = keys.size
  for (const key of newKeys) {
    if (keys.has(key)) continue
    keys.add(key)
    touchKey(order, key)
  }
  return keys.size - before
}

/** Removes keys from the set, and returns how many of them it contained. */
export function removeKeys({ keys, order }: KeySet, oldKeys: readonly string[]): number {
  const before = keys.size
  for (const key of oldKeys) {
    if (keys.delete(key)) touchKey(order, key)
  }
  return before - keys.size
}

/** Returns the number of keys that are in the first set and not in the second. */
export function countWithout({ keys }: KeySet, without: KeySet | undefined): number {
  if (!without) return keys.size
  let count = 0
  for (const key of keys) if (!without.keys.has(key)) count++
  return count
}

/**
 * Moves all keys of a set into another one and returns the number of keys that were new there.
 *
 * @param replace removes the keys of the target that the source does not contain.
 */
export function moveKeys(from: KeySet, into: KeySet, replace: boolean): number {
  const sourceKeys = [...from.keys]
  if (replace)
    removeKeys(
      into,
      [...into.keys].filter((key) => !from.keys.has(key)),
    )
  removeKeys(from, sourceKeys)
  return addKeys(into, sourceKeys)
}

/** Returns all keys in code-point order. The array is valid until the set changes. */
export function orderedKeys({ keys, order }: KeySet): readonly string[] {
  return keysInOrder(order, keys)
}

/** Returns at most `limit` keys after `after`, in code-point order. */
export function pageKeys({ keys, order }: KeySet, after: string | undefined, limit: number): string[] {
  const sorted = keysInOrder(order, keys)
  if (after === undefined) return sorted.slice(0, limit)
  const at = lowerBound(sorted, after)
  const start = sorted[at] === after ? at + 1 : at
  return sorted.slice(start, start + limit)
}
