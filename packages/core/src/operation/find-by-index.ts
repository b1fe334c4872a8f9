import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'

/** A document with its keys. */
export interface LocatedDocument<T extends Versioned, A extends string> {
  readonly keys: Keys<A>
  readonly document: T
}

/**
 * Finds a document by the last key of its address alone. An index entry contains the other keys of the document. Index
 * entries remain when a document is deleted with its parent, so an entry may refer to a document that no longer exists.
 */
export async function findByIndex<P extends Versioned, B extends string, T extends Versioned, A extends string>(
  tx: Reader,
  index: Documents<P, B>,
  collection: Documents<T, A>,
  params: Keys<B>,
): Promise<LocatedDocument<T, A> | undefined> {
  const entry = await tx.get(index, params)
  if (!entry) return undefined
  const { version, ...otherKeys } = entry
  // Cast: the index document contains the keys that the path lacks, but its type does not name them.
  const keys = { ...otherKeys, ...params } as unknown as Keys<A>
  const document = await tx.get(collection, keys)
  return document && { keys, document }
}
