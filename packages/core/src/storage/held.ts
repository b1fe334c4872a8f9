import type { Documents, Keys, Versioned } from './collection.ts'
import type { Writer } from './writer.ts'

/** A thing that others refer to, and which is not deleted while they do. */
export interface Held extends Versioned {
  /** Grows when something begins to refer to it: see {@link hold}. */
  readonly holds: number
}

/**
 * Notes in a thing's document that something begins to refer to it, once for each call. Without that it could be deleted
 * while it gets its first reference: the deletion looks for references before they are there, and neither write sees the
 * other.
 */
export function hold<T extends Held, A extends string>(
  tx: Writer,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T,
): T {
  return tx.follow(collection, keys, document, { ...document, holds: document.holds + 1 })
}
