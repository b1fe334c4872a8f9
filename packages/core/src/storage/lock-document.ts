import type { Documents, Keys, Versioned } from './collection.ts'
import type { Writer } from './writer.ts'

/** A document that cannot be deleted while other documents refer to it. */
export interface Lockable extends Versioned {
  /** Incremented when another document starts to refer to this one: see {@link lock}. */
  readonly holds: number
}

/**
 * Writes to a document that another one starts to refer to, once for each call. Without the write, a concurrent
 * deletion could succeed: it looks for references before the first one exists, and the two writes would not conflict.
 */
export function lock<T extends Lockable, A extends string>(
  tx: Writer,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T,
): T {
  return tx.follow(collection, keys, document, { ...document, holds: document.holds + 1 })
}
