import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Condition, Order } from '../storage/port.ts'
import type { Listed, Reader, ScopeKeys } from '../storage/unit-of-work.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import type { PageAsked } from './link.ts'

export interface VisibleQuery<T extends Versioned, A extends string> {
  readonly collection: Documents<T, A>
  readonly scope: ScopeKeys<A>
  readonly keys: (document: T) => Keys<A>
  /** The action that makes a thing visible (D17). */
  readonly action: string
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
  { collection, scope, keys, action, where, order }: VisibleQuery<T, A>,
  page: PageAsked,
): Promise<Listed<T>> {
  const items: T[] = []
  let total = 0
  for (let offset = 0; ; offset += chunk) {
    const found = await context.tx.list(collection, scope, { where, order, limit: chunk, offset })
    for (const document of found.items) {
      if (!(await context.allowed(action, collection, keys(document), document))) continue
      if (total >= page.offset && items.length < page.limit) items.push(document)
      total++
    }
    if (found.items.length < chunk) return { items, total }
  }
}
