import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'

/** A document that was found, and what leads to it. */
export interface LocatedDocument<T extends Versioned, A extends string> {
  readonly keys: Keys<A>
  readonly document: T
}

/**
 * Finds a document that a path names by its last key alone, by way of its place: a document that holds the other keys.
 * Places outlive what is deleted with its parent, so one may lead nowhere.
 */
export async function findByIndex<P extends Versioned, B extends string, T extends Versioned, A extends string>(
  tx: Reader,
  places: Documents<P, B>,
  collection: Documents<T, A>,
  params: Keys<B>,
): Promise<LocatedDocument<T, A> | undefined> {
  const place = await tx.get(places, params)
  if (!place) return undefined
  const { version, ...above } = place
  // Cast: the index document holds the keys that the path does not; its type does not say which.
  const keys = { ...above, ...params } as unknown as Keys<A>
  const document = await tx.get(collection, keys)
  return document && { keys, document }
}
