import type { DocumentId, StoredDocument } from '../port.ts'

/** A document of the trunk as it was when the branch first changed it. */
export interface BranchBase {
  readonly version: number
  readonly body: unknown
}

/** The body of the row that a branch stores for a document that it has written or removed. */
export interface BranchRow {
  /** The document of the trunk on which the row is based; undefined when the trunk did not have the document. */
  readonly base?: BranchBase
  /** Difference between the version of the document and the version of the row. */
  readonly offset: number
  /** True when the branch has removed the document. */
  readonly removed?: true
  /** The document in the branch, unless it is removed. */
  readonly body?: unknown
}

/** Returns the row that a branch stores for a document. */
export function rowOf({ body }: StoredDocument): BranchRow {
  // Cast: only commits of branches write these documents.
  return body as BranchRow
}

/** Returns the document of a row; undefined when the branch has removed it. */
export function documentOf(stored: StoredDocument): StoredDocument | undefined {
  const { offset, removed, body } = rowOf(stored)
  if (removed) return undefined
  return { key: stored.key, scope: stored.scope, version: stored.version + offset, body }
}

/** Returns the ids of documents in their collection. */
export function idIn(collection: string, { scope, key }: Pick<StoredDocument, 'scope' | 'key'>): DocumentId {
  return { collection, scope, key }
}
