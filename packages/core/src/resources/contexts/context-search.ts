import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { filter } from '../../operation/filters/filter.ts'
import { type Link, linkTo, withQuery } from '../../operation/link.ts'
import { booleanParameter, integer } from '../../operation/schema.ts'
import type { Condition, Order } from '../../storage/port.ts'
import { contextConditions } from './context-conditions.ts'

/** Maximum number of contexts in a response. */
const maxFound = 50

const continuationToken = () => v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'must be one of a response'))

const sortOrder = () => v.picklist(['ts', '-ts'], 'must be ts or -ts')

/** Properties of a search that the query or the body contains. */
const search = () => ({
  filter: v.optional(filter(contextConditions)),
  sort: v.optional(sortOrder()),
  limit: v.optional(integer(1, maxFound)),
  continuationToken: v.optional(continuationToken()),
})

/** Schema of the query of a search. */
export const searchQuery = () => v.object({ ...search(), includeTotalCount: v.optional(booleanParameter(), true) })

/** Schema of the body of a search. */
export const searchBody = () => v.strictObject(search())

/** A validated search: the contexts, their order, and the part of them that a response contains. */
export interface ContextSearch {
  readonly filter?: readonly Condition[] | undefined
  readonly sort?: 'ts' | '-ts' | undefined
  readonly limit?: number | undefined
  readonly continuationToken?: string | undefined
}

/** Returns the search of the query or of the body; undefined when both have a part of one. */
export function oneSearch(
  { includeTotalCount: _, ...query }: ContextSearch & { readonly includeTotalCount?: boolean },
  body: ContextSearch,
): ContextSearch | undefined {
  const isEmpty = (part: ContextSearch) => Object.values(part).every((value) => value === undefined)
  if (isEmpty(query)) return body
  return isEmpty(body) ? query : undefined
}

/** Selects the documents of a search, the latest ones first unless it says otherwise. */
export function selectionOf({ filter: where = [], sort = '-ts', limit = 20, continuationToken: token }: ContextSearch) {
  const order: readonly Order[] = [
    { field: 'lastSeen', type: 'number', descending: sort === '-ts' },
    { field: 'key', type: 'text' },
  ]
  return { where, order, limit, offset: token === undefined ? 0 : Number(token) }
}

/** Returns the link to the next part of what a search finds, with its token, where there is one. */
export function nextPart({ url }: Pick<ReadContext, 'url'>, offset: number, limit: number, total: number) {
  const links: Record<string, Link> = { self: linkTo(url) }
  if (offset + limit >= total) return { _links: links }
  const token = String(offset + limit)
  return { continuationToken: token, _links: { ...links, next: linkTo(withQuery(url, { continuationToken: token })) } }
}
