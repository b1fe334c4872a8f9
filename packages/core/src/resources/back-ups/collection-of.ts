import { parseAddress } from '../../rules/address.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'

/** Finds the collection of a document by its name and the kinds of its parent levels. */
export type CollectionOf = (id: DocumentId) => Documents<Versioned> | undefined

/** Makes a function that finds the collections of documents. */
export function collectionFinder(collections: readonly Documents<Versioned>[]): CollectionOf {
  const collectionsByLevels = new Map(
    collections.map((collection) => [
      `${collection.name} ${collection.address.kinds.slice(0, -1).join(':')}`,
      collection,
    ]),
  )
  return ({ collection, scope }) => {
    const levels = scope === '' ? [] : parseAddress(scope)
    return levels && collectionsByLevels.get(`${collection} ${levels.map(({ kind }) => kind).join(':')}`)
  }
}
