import { parseAddress } from '../../rules/address.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'

/** Finds the collection of a document by its name and the kinds of its parent levels. */
export type CollectionOf = (id: DocumentId) => Documents<Versioned> | undefined

/** Makes a function that finds the collections of documents. */
export function collectionFinder(collections: readonly Documents<Versioned>[]): CollectionOf {
  const known = new Map(collections.map((one) => [`${one.name} ${one.address.kinds.slice(0, -1).join(':')}`, one]))
  return ({ collection, scope }) => {
    const levels = scope === '' ? [] : parseAddress(scope)
    return levels && known.get(`${collection} ${levels.map(({ kind }) => kind).join(':')}`)
  }
}
