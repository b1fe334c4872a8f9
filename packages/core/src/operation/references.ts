import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { Fault } from './errors.ts'

/** A document that a request names: where it does so, and what to say when there is none. */
export interface Reference<Attribute extends string = string> {
  readonly attribute: Attribute
  readonly reason: string
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
}

/** A fault of one of the members that name documents. */
export type NamedFault<Attribute extends string> = Fault & { readonly attribute: Attribute }

/** Makes a reference; the keys must be those of the collection's address. */
export function reference<T extends Versioned, A extends string, const Attribute extends string = string>(
  attribute: Attribute,
  collection: Documents<T, A>,
  keys: Keys<A>,
  reason: string,
): Reference<Attribute> {
  return { attribute, reason, collection: collection, keys }
}

/** Finds the references that lead nowhere. All are looked up in one turn; a fault for each, in the order given. */
export async function validateReferences<Attribute extends string>(
  tx: Reader,
  references: readonly Reference<Attribute>[],
): Promise<NamedFault<Attribute>[]> {
  const collections = [...new Set(references.map(({ collection }) => collection))]
  const missing = new Set<Reference>()
  const look = async (collection: Reference['collection']) => {
    const group = references.filter((one) => one.collection === collection)
    const found = await tx.getMany(
      collection,
      group.map(({ keys }) => keys),
    )
    for (const [at, one] of group.entries()) if (!found[at]) missing.add(one)
  }
  await Promise.all(collections.map(look))
  return references.filter((one) => missing.has(one)).map(({ attribute, reason }) => ({ attribute, reason }))
}
