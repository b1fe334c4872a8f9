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
  /** The action that makes a thing visible (docs/decisions/0002-decide-access-by-policy.md#d17-actions). */
  readonly action: Action
  readonly where?: readonly Condition[]
  readonly order?: readonly Order[]
}

const chunk = 500

/**
 * One page of the things that the caller may see, and how many those are.
 *
 * What a policy hides must not show in counts and pages either, so the whole list is judged; it is meant for lists
 * of an account's own things (projects, tokens, roles), which stay small.
 */
export async function visiblePage<T extends Versioned, A extends string>(
  context: Pick<Context<Reader, ErrorCode>, 'tx' | 'allowed'>,
  { collection, scope, action, where, order }: VisibleQuery<T, A>,
  page: PageQuery,
): Promise<ListedDocuments<T>> {
  const items: T[] = []
  const keys: string[] = []
  let total = 0
  for (let offset = 0; ; offset += chunk) {
    const found = await context.tx.list(collection, scope, { where, order, limit: chunk, offset })
    for (const [at, document] of found.items.entries()) {
      const key = found.keys[at] as string
      if (!(await context.allowed(action, collection, keysUnder(collection, scope, key), document))) continue
      if (total >= page.offset && items.length < page.limit) {
        items.push(document)
        keys.push(key)
      }
      total++
    }
    if (found.items.length < chunk) return { items, keys, total }
  }
}
