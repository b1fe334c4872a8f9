import type { Documents, Keys, Versioned } from './collection.ts'
import type { Writer } from './writer.ts'

/** A document that other documents refer to, and that is not deleted while they do. */
export interface Lockable extends Versioned {
  /** Incremented when a document begins to refer to it: see {@link lock}. */
  readonly holds: number
}

/**
 * Records in a document that another one begins to refer to it, once for each call. Otherwise it could be deleted while it
 * gets its first reference: the deletion looks for references before there are any, and neither write conflicts with the
 * other.
 */
export function lock<T extends Lockable, A extends string>(
  tx: Writer,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T,
): T {
  return tx.follow(collection, keys, document, { ...document, holds: document.holds + 1 })
}
