import { jsonEqual } from '../rules/json-equal.ts'
import { type Documents, documents, type Keys, type Versioned } from './collection.ts'
import type { Order } from './port.ts'
import type { Writer } from './writer.ts'

/** A thing of which every revision is kept. */
export interface Revised extends Versioned {
  /** Which one this is, 1 at first: the version that callers see. Storage counts book-keeping in `version` too. */
  readonly revision: number
  /** When this revision was made, integer ms. */
  readonly createdAt: number
}

/** Where the revisions of a thing live: under its own address, so that they go with it. */
export type RevisionAddress<Address extends string> = `${Address}:revision/{revision}`

/**
 * Declares the collection of the revisions of things, the newest of each among them. No caller changes them: they follow
 * from the changes of the things themselves, which the change log tells.
 */
export function revisionsOf<T extends Revised, A extends string>(
  collection: Documents<T, A>,
): Documents<T, RevisionAddress<A>> {
  return documents<T>()({
    name: `${collection.name}-revision`,
    address: `${collection.template}:revision/{revision}`,
    fields: ({ revision }) => ({ revision }),
  })
}

/** The order of lists of revisions, as a card of a list takes it. */
export const newestRevisionFirst = (): { readonly order: readonly Order[] } => ({
  order: [{ field: 'revision', type: 'number', descending: true }],
})

/**
 * A new thing as its first revision, which is kept.
 *
 * @param now integer ms.
 */
export function firstRevision<T extends Revised, A extends string>(
  tx: Writer,
  revisions: Documents<T, RevisionAddress<A>>,
  keys: Keys<A>,
  document: Omit<T, 'version' | 'revision' | 'createdAt'>,
  now: number,
): Omit<T, 'version'> {
  return kept(tx, revisions, keys, { ...document, version: 0, revision: 1, createdAt: now } as T)
}

/**
 * A changed thing as its next revision, which is kept; the thing as it was where nothing differs. Whoever stores it does
 * so in place of `before`, so of two changes at once only one gets a number.
 *
 * @param now integer ms.
 */
export function nextRevision<T extends Revised, A extends string>(
  tx: Writer,
  revisions: Documents<T, RevisionAddress<A>>,
  keys: Keys<A>,
  before: T,
  after: T,
  now: number,
): T {
  if (jsonEqual(before, after)) return before
  return kept(tx, revisions, keys, { ...after, revision: before.revision + 1, createdAt: now })
}

function kept<T extends Revised, A extends string>(
  tx: Writer,
  revisions: Documents<T, RevisionAddress<A>>,
  keys: Keys<A>,
  document: T,
): T {
  const place = { ...keys, revision: String(document.revision) } as Keys<RevisionAddress<A>>
  tx.ensure(revisions, place, document)
  return document
}
