import { jsonEqual } from '../rules/json-equal.ts'
import { type Documents, documents, type Keys, type Replacement, type Versioned } from './collection.ts'
import type { Order } from './port.ts'
import type { Writer } from './writer.ts'

/** A document of which every revision is stored. */
export interface RevisedDocument extends Versioned {
  /** Number of the revision, from 1: the version that callers see. `version` also counts changes of internal state. */
  readonly revision: number
  /** Creation time of this revision, integer ms. */
  readonly createdAt: number
}

/** Address of the revisions of a document: under the address of the document, so that they are deleted with it. */
export type RevisionAddress<Address extends string> = `${Address}:revision/{revision}`

/**
 * Declares the collection of the revisions of documents, including the newest revision of each. Callers do not change
 * revisions directly: a revision is made by a change of the document, which the change log lists.
 */
export function revisionsOf<T extends RevisedDocument, A extends string>(
  collection: Documents<T, A>,
): Documents<T, RevisionAddress<A>> {
  return documents<T>()({
    name: `${collection.name}-revision`,
    recorded: true,
    address: `${collection.template}:revision/{revision}`,
    fields: ({ revision }) => ({ revision }),
    createdAt: ({ createdAt }) => createdAt,
  })
}

/** Returns the order of lists of revisions, for the definition of a list operation. */
export const newestRevisionFirst = (): { readonly order: readonly Order[] } => ({
  order: [{ field: 'revision', type: 'number', descending: true }],
})

/** The collection of the revisions of a document, and the keys of the document. */
export interface RevisionHistory<T extends RevisedDocument, A extends string> {
  readonly revisions: Documents<T, RevisionAddress<A>>
  readonly keys: Keys<A>
}

/**
 * Returns a new document as its first revision, and stores the revision.
 *
 * @param now integer ms.
 */
export function firstRevision<T extends RevisedDocument, A extends string>(
  tx: Writer,
  history: RevisionHistory<T, A>,
  document: Omit<T, 'version' | 'revision' | 'createdAt'>,
  now: number,
): Omit<T, 'version'> {
  return stored(tx, history, { ...document, version: 0, revision: 1, createdAt: now } as T)
}

/**
 * Returns a changed document as its next revision, and stores the revision; returns `before` when nothing differs. The
 * caller replaces `before` by the next revision, so only one of two concurrent changes gets the number.
 *
 * @param now integer ms.
 */
export function nextRevision<T extends RevisedDocument, A extends string>(
  tx: Writer,
  revisions: Documents<T, RevisionAddress<A>>,
  { keys, before, after }: Replacement<T, Keys<A>>,
  now: number,
): T {
  if (jsonEqual(before, after)) return before
  return stored(tx, { revisions, keys }, { ...after, revision: before.revision + 1, createdAt: now })
}

function stored<T extends RevisedDocument, A extends string>(
  tx: Writer,
  { revisions, keys }: RevisionHistory<T, A>,
  document: T,
): T {
  const revisionKeys = { ...keys, revision: String(document.revision) } as Keys<RevisionAddress<A>>
  tx.ensure(revisions, revisionKeys, document)
  return document
}
