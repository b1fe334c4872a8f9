import * as v from 'valibot'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader, ScopeKeys } from '../../storage/reader.ts'
import { type Link, linkTo, withQuery } from '../link.ts'
import { integer } from '../schema.ts'

/** A position in a list: that of a document with this number and key, even when there is no such document. */
export interface Cursor {
  /** Value of the field by which the list is ordered, 0 or more; usually a time, integer ms, UTC. */
  readonly at: number
  readonly key: string
}

/** Schema of a cursor in a query, in the format that the links of a page have. */
export const cursor = () =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,16}_[^\0]{1,512}$/s, 'must be a cursor from a link'),
    v.transform((text): Cursor => {
      const separatorIndex = text.indexOf('_')
      return { at: Number(text.slice(0, separatorIndex)), key: text.slice(separatorIndex + 1) }
    }),
  )

/** Query parameters of a list with cursors. */
export const cursorQuery = {
  limit: v.optional(integer(1, 100), 20),
  after: v.optional(cursor()),
  before: v.optional(cursor()),
}

/** Fails validation when a query has both `after` and `before`. */
export const requireOneDirection = <Query extends { readonly after?: unknown; readonly before?: unknown }>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    if (!input.after || !input.before) return
    const path = [{ type: 'object', origin: 'value', input, key: 'before', value: input.before }] as const
    addIssue({ message: 'must not be combined with `after`', path: [...path] })
  })

export interface CursorQuery {
  readonly limit: number
  readonly after?: Cursor
  readonly before?: Cursor
}

export interface CursorList<T extends Versioned, A extends string> {
  readonly collection: Documents<T, A>
  readonly scope: ScopeKeys<A>
  readonly where: readonly Condition[]
  /** The field by which the list is ordered: an integer, 0 or more, that all of its documents have. */
  readonly field: string
  /** True for the lowest value first. Default: descending, so that the newest documents come first. */
  readonly ascending?: boolean
  /** Returns the position of a document in the list. */
  cursorOf(document: T): Cursor
}

export interface CursorPage<T> {
  /** Documents in the order of the list. */
  readonly items: readonly T[]
  /**
   * True when more documents follow in the direction of the query: after the page, or before it when the query has
   * `before`.
   */
  readonly hasMore: boolean
}

/** Maximum number of documents with the same value of the field that pages are guaranteed to list completely. */
const maxTies = 1000

/** Returns the page after a cursor or before one, or the first page. */
export async function cursorPage<T extends Versioned, A extends string>(
  tx: Reader,
  { collection, scope, where, field, ascending = false, cursorOf: edgeOf }: CursorList<T, A>,
  { limit: pageLimit, after, before }: CursorQuery,
): Promise<CursorPage<T>> {
  const forward = before === undefined
  const descending = forward !== ascending
  const order: Order[] = [
    { field, type: 'number', descending },
    { field: 'key', type: 'text', descending: !forward },
  ]
  const find = async (condition: readonly Condition[], limit: number) => {
    const options = { where: [...where, ...condition], order, limit }
    return (await tx.list(collection, scope, options)).items
  }
  const start = after ?? before
  const documents = start ? await findPast(start, pageLimit + 1) : await find([], pageLimit + 1)
  const items = documents.slice(0, pageLimit)
  return { items: forward ? items : items.reverse(), hasMore: documents.length > pageLimit }

  // Documents whose field has the same number as the cursor are read separately. The storage can compare the number,
  // but not the number together with the key.
  async function findPast({ at, key }: Cursor, limit: number): Promise<T[]> {
    const [ties, rest] = await Promise.all([
      find([{ op: 'equals', field, value: at }], maxTies),
      find([{ op: 'range', field, ...(descending ? { to: at } : { from: at + 1 }) }], limit),
    ])
    const isPast = (document: T) => compareCodePoints(edgeOf(document).key, key) * (forward ? 1 : -1) > 0
    return [...ties.filter(isPast), ...rest]
  }
}

/**
 * Returns the links of a page: `next` to the following page, `prev` to the preceding one. The page from which the
 * cursor comes always exists; `hasMore` is true if there is also a page in the other direction.
 */
export function cursorLinks<T>(
  url: string,
  { after, before }: CursorQuery,
  { items, hasMore }: CursorPage<T>,
  cursorOf: (document: T) => Cursor,
): Record<string, Link> {
  const [first, last] = [items[0], items.at(-1)]
  const textOf = (document: T) => {
    const { at, key } = cursorOf(document)
    return `${at}_${encodeURIComponent(key)}`
  }
  const links: Record<string, Link> = { self: linkTo(url) }
  if (first && (before ? hasMore : after)) links.prev = linkTo(withQuery(url, { before: textOf(first) }, ['after']))
  if (last && (before ?? hasMore)) links.next = linkTo(withQuery(url, { after: textOf(last) }, ['before']))
  return links
}
