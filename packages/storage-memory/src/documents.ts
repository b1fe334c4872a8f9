import type { Condition, DocumentId, Fields, StoredDocument } from '@halyard/core/storage'
import type { ByScope, LeafKind } from './by-scope.ts'
import { allOf } from './conditions.ts'
import { copyKeyOrder, createKeyOrder, type KeyOrder, keysInOrder, touchKey } from './key-order.ts'
import type { Row } from './row.ts'

/** The documents of one collection in one scope. */
export interface Bucket {
  readonly rows: Map<string, Row>
  readonly order: KeyOrder
}

/** Buckets by collection and scope. */
export type Documents = ByScope<Bucket>

export const bucketKind: LeafKind<Bucket> = {
  create: () => ({ rows: new Map(), order: createKeyOrder() }),
  copy: ({ rows, order }) => ({ rows: new Map(rows), order: copyKeyOrder(order) }),
  size: ({ rows }) => rows.size,
}

/** Returns the stored document itself, which is frozen, or undefined. */
export function findDocument(documents: Documents, { collection, scope, key }: DocumentId): StoredDocument | undefined {
  return documents.find(collection, scope)?.rows.get(key)?.document
}

/**
 * Stores a document, whether or not one is stored under its id.
 *
 * @param content body and fields, deeply frozen.
 */
export function putDocument(
  documents: Documents,
  { collection, scope, key }: DocumentId,
  version: number,
  content: { readonly body: unknown; readonly fields: Fields },
): void {
  const bucket = documents.edit(collection, scope)
  if (!bucket.rows.has(key)) touchKey(bucket.order, key)
  const document = Object.freeze({ key, scope, version, body: content.body })
  bucket.rows.set(key, { document, fields: content.fields })
}

/** Removes a document that exists. */
export function removeDocument(documents: Documents, { collection, scope, key }: DocumentId): void {
  const bucket = documents.edit(collection, scope)
  bucket.rows.delete(key)
  touchKey(bucket.order, key)
}

/** Removes the documents of a collection, at and under a scope, that meet all conditions. Returns their number. */
export function removeDocuments(
  documents: Documents,
  { collection, scope, where }: { collection: string; scope: string; where: readonly Condition[] },
): number {
  const matches = allOf(where)
  const rows = documents.under(collection, scope).flatMap((bucket) => [...bucket.rows.values()].filter(matches))
  for (const { document } of rows) {
    removeDocument(documents, { collection, scope: document.scope, key: document.key })
  }
  return rows.length
}

/** Returns the keys of a bucket in code-point order. */
export function bucketKeys(bucket: Bucket): readonly string[] {
  return keysInOrder(bucket.order, bucket.rows)
}
