import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { ListedDocuments, Reader, ScopeKeys } from '../../storage/reader.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { Context } from '../context.ts'
import { keysUnder } from '../document-operations/document-operation.ts'
import type { ErrorCode } from '../errors.ts'
import type { PageQuery } from '../link.ts'

export interface VisibleQuery<T extends Versioned, A extends string> {
  readonly collection: Documents<T, A>
  readonly scope: ScopeKeys<A>
  /** The action that makes a document visible (docs/decisions/0002-decide-access-by-policy.md#d17-actions). */
  readonly action: Action
  readonly where?: readonly Condition[]
  readonly order?: readonly Order[]
}

/**
 * Returns one page of the documents that the caller may see, with their total number.
 *
 * Neither the total nor the pages may reveal documents that a policy hides. A caller who may see all documents of the
 * list receives the page of the storage. For other callers, every document of the list is authorized.
 */
export async function visiblePage<T extends Versioned, A extends string>(
  context: Pick<Context<Reader, ErrorCode>, 'tx' | 'allowed'>,
  { collection, scope, action, where, order }: VisibleQuery<T, A>,
  page: PageQuery,
): Promise<ListedDocuments<T>> {
  const maxLimit = Number.MAX_SAFE_INTEGER
  // A decision for the key `*` is positive only if the decision for each key is positive
  // (docs/decisions/0002-decide-access-by-policy.md).
  if (await context.allowed(action, collection, keysUnder(collection, scope, '*'))) {
    const { limit, offset } = page
    return context.tx.list(collection, scope, { where, order, limit: Math.min(limit, maxLimit), offset })
  }
  const items: T[] = []
  const keys: string[] = []
  let total = 0
  // The documents are read as one list: if they were read in chunks, a storage would read the preceding rows again for
  // each chunk.
  const documents = await context.tx.list(collection, scope, { where, order, limit: maxLimit })
  for (const [index, document] of documents.items.entries()) {
    const key = documents.keys[index] as string
    if (!(await context.allowed(action, collection, keysUnder(collection, scope, key), document))) continue
    if (total >= page.offset && items.length < page.limit) {
      items.push(document)
      keys.push(key)
    }
    total++
  }
  return { items, keys, total }
}
