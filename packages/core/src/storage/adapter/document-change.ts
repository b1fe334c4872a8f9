import type { Change, DocumentId } from '../port.ts'

/** A change, or an expectation, of one document. */
export type DocumentChange = Extract<Change, { readonly id: DocumentId }>

/** Tests whether a change concerns one document. */
export function isDocumentChange(change: Change): change is DocumentChange {
  return 'id' in change
}

/**
 * Returns one text for each document. No two documents share one, because the lengths at the start separate the parts.
 */
export function documentAddress({ collection, scope, key }: DocumentId): string {
  return `${collection.length}:${scope.length}:${collection}${scope}${key}`
}
