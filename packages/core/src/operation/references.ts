import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { ValidationError } from './errors.ts'

/**
 * A reference in a request to a document: the property that contains it, the keys, and the reason to report when the
 * document does not exist.
 */
export interface Reference<Attribute extends string = string> {
  readonly attribute: Attribute
  readonly reason: string
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
}

/** A validation error of one of the properties that contain references. */
export type InvalidReference<Attribute extends string> = ValidationError & { readonly attribute: Attribute }

/** Makes a reference. `keys` must contain the parameters of the collection's address. */
export function reference<T extends Versioned, A extends string, const Attribute extends string = string>(
  attribute: Attribute,
  collection: Documents<T, A>,
  keys: Keys<A>,
  reason: string,
): Reference<Attribute> {
  return { attribute, reason, collection, keys }
}

/**
 * Returns a validation error for each reference to a document that does not exist, in the order of the references. All
 * documents are looked up concurrently.
 */
export async function validateReferences<Attribute extends string>(
  tx: Reader,
  references: readonly Reference<Attribute>[],
): Promise<InvalidReference<Attribute>[]> {
  const collections = [...new Set(references.map(({ collection }) => collection))]
  const missing = new Set<Reference>()
  const findMissing = async (collection: Reference['collection']) => {
    const group = references.filter((candidate) => candidate.collection === collection)
    const documents = await tx.getMany(
      collection,
      group.map(({ keys }) => keys),
    )
    for (const [index, candidate] of group.entries()) if (!documents[index]) missing.add(candidate)
  }
  await Promise.all(collections.map(findMissing))
  return references
    .filter((candidate) => missing.has(candidate))
    .map(({ attribute, reason }) => ({ attribute, reason }))
}
