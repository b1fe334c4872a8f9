import * as v from 'valibot'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader, ScopeKeys } from '../../storage/reader.ts'
import { type Link, linkTo, withQuery } from '../link.ts'
import { integer } from '../schema.ts'

/** A place in a list: where this number and key belong, also when nothing is there. */
export interface Cursor {
  /** What the list is ordered by, 0 or more: mostly a time, integer ms, UTC. */
  readonly at: number
  readonly key: string
}

/** A cursor in a query, as links have it. */
export const cursor = () =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,16}_[^\0]{1,512}$/s, 'must be a cursor from a link'),
    v.transform((text): Cursor => {
      const cut = text.indexOf('_')
      return { at: Number(text.slice(0, cut)), key: text.slice(cut + 1) }
    }),
  )

/** The members of a query that a list with cursors takes. */
export const cursorQuery = {
  limit: v.optional(integer(1, 100), 20),
  after: v.optional(cursor()),
  before: v.optional(cursor()),
}

/** Sees to it that a page is asked for after a cursor or before one. */
export const oneWay = <Query extends { readonly after?: unknown; readonly before?: unknown }>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    if (!input.after || !input.before) return
    const path = [{ type: 'object', origin: 'value', input, key: 'before', value: input.before }] as const
    addIssue({ message: 'must not be given together with after', path: [...path] })
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
  /** Default: descending, which is newest first. */
  readonly ascending?: boolean
  /** Where a document stands in the list. */
  edgeOf(document: T): Cursor
}

export interface CursorPage<T> {
  /** In the order of the list. */
  readonly items: readonly T[]
  /** Whether there are more beyond the end towards which was looked. */
  readonly more: boolean
}

/** How many documents may have one number and still be paged one by one. */
const maxTies = 1000

/** The page after a cursor, before it, or the first. */
export async function cursorPage<T extends Versioned, A extends string>(
  tx: Reader,
  { collection, scope, where, field, ascending = false, edgeOf }: CursorList<T, A>,
  { limit, after, before }: CursorQuery,
): Promise<CursorPage<T>> {
  const onward = before === undefined
  const descending = onward !== ascending
  const order: Order[] = [
    { field, type: 'number', descending },
    { field: 'key', type: 'text', descending: !onward },
  ]
  const find = async (condition: readonly Condition[], most: number) => {
    const options = { where: [...where, ...condition], order, limit: most }
    return (await tx.list(collection, scope, options)).items
  }
  const edge = after ?? before
  const found = edge ? await beyond(edge, limit + 1) : await find([], limit + 1)
  const items = found.slice(0, limit)
  return { items: onward ? items : items.reverse(), more: found.length > limit }

  // Those that have the cursor's own number are asked for apart: storage compares numbers, not numbers and keys.
  async function beyond({ at, key }: Cursor, most: number): Promise<T[]> {
    const [ties, rest] = await Promise.all([
      find([{ op: 'equals', field, value: at }], maxTies),
      find([{ op: 'range', field, ...(descending ? { to: at } : { from: at + 1 }) }], most),
    ])
    const isBeyond = (one: T) => compareCodePoints(edgeOf(one).key, key) * (onward ? 1 : -1) > 0
    return [...ties.filter(isBeyond), ...rest]
  }
}

/** `next` leads on, `prev` back. A page that was come from exists; the other way is known. */
export function cursorLinks<T>(
  url: string,
  { after, before }: CursorQuery,
  { items, more }: CursorPage<T>,
  edgeOf: (document: T) => Cursor,
): Record<string, Link> {
  const [first, last] = [items[0], items.at(-1)]
  const textOf = (document: T) => {
    const { at, key } = edgeOf(document)
    return `${at}_${encodeURIComponent(key)}`
  }
  const links: Record<string, Link> = { self: linkTo(url) }
  if (first && (before ? more : after)) links.prev = linkTo(withQuery(url, { before: textOf(first) }, ['after']))
  if (last && (before ?? more)) links.next = linkTo(withQuery(url, { after: textOf(last) }, ['before']))
  return links
}
