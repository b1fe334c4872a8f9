import type { Documents, Keys, Versioned } from './collection.ts'
import type { Writer } from './writer.ts'

/** A document that cannot be deleted while other documents refer to it. */
export interface Lockable extends Versioned {
  /** Incremented when another document starts to refer to this document: see {@link lock}. */
  readonly holds: number
}

/**
 * Writes to a document to which another document starts to refer, once for each call. Without this write, a concurrent
 * deletion that has looked for references before the new reference exists would succeed, because the two commits would
 * not conflict.
 */
export function lock<T extends Lockable, A extends string>(
  tx: Writer,
  collection: Documents<T, A>,
  keys: Keys<A>,
  document: T,
): T {
  return tx.follow(collection, keys, document, { ...document, holds: document.holds + 1 })
}
