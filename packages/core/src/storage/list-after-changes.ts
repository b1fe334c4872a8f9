import { DocumentMap } from './document-map.ts'
import {
  type AccountStorage,
  type Change,
  type DocumentId,
  type DocumentPage,
  isUnder,
  type ListedDocument,
  type ListQuery,
} from './port.ts'

/** A query for all documents of a collection at or under a scope. */
export type WholeCollection = Omit<ListQuery, 'where' | 'order' | 'offset' | 'count'>

/**
 * Lists all documents of a collection as they would be after changes that are not committed.
 *
 * @param query the query; it has no conditions, because the storage would evaluate them on the stored documents.
 * @param documentAfter returns a document after the changes; undefined when they remove it.
 */
export async function listAfterChanges(
  stored: Pick<AccountStorage, 'list'>,
  changes: readonly Change[],
  query: WholeCollection,
  documentAfter: (id: DocumentId, before: ListedDocument | undefined) => ListedDocument | undefined,
): Promise<DocumentPage> {
  const { items } = await stored.list({ ...query, select: 'bodies' })
  const listed = new DocumentMap<true>()
  const retainedItems = items.flatMap((item) => {
    const id = { collection: query.collection, scope: item.scope, key: item.key }
    listed.set(id, true)
    return documentAfter(id, item) ?? []
  })
  const added = changes.flatMap((change) => {
    if ((change.do !== 'insert' && change.do !== 'ensure') || !isListed(query, change.id)) return []
    if (listed.has(change.id)) return []
    listed.set(change.id, true)
    return documentAfter(change.id, undefined) ?? []
  })
  return { items: [...retainedItems, ...added], total: undefined }
}

function isListed({ collection, scope, deep }: WholeCollection, id: DocumentId): boolean {
  return id.collection === collection && (deep ? isUnder(id.scope, scope) : id.scope === scope)
}
