import * as v from 'valibot'
import type { Environment } from '../../models/environments/environment.ts'
import type { Context, ReadContext } from '../../operation/context.ts'
import { filter } from '../../operation/filters/filter.ts'
import { type Link, linkTo, withQuery } from '../../operation/link.ts'
import { booleanParameter, integer } from '../../operation/schema.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { contextConditions } from './context-conditions.ts'

/** Maximum number of contexts in a response. */
export const maxFound = 50

export const continuationToken = () => v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'must be the token of a response'))

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

/** A validated search: the conditions for contexts, their order, and the page that a response contains. */
export interface ContextSearch {
  readonly filter?: readonly Condition[] | undefined
  readonly sort?: 'ts' | '-ts' | undefined
  readonly limit?: number | undefined
  readonly continuationToken?: string | undefined
}

/**
 * Returns the search from the query and the body. A link to the next page has its token in the query, and is requested
 * with the same body.
 *
 * @throws ApiError `invalid_request` that names the properties that both have.
 */
export function oneSearch(
  { fail }: Pick<Context<Reader, 'invalid_request'>, 'fail'>,
  { includeTotalCount: _, ...query }: ContextSearch & { readonly includeTotalCount?: boolean },
  body: ContextSearch,
): ContextSearch {
  const inQuery = namesOf(query)
  const errors = namesOf(body)
    .filter((name) => inQuery.includes(name))
    .map((attribute) => ({ attribute, reason: 'must not be in both the query and the body' }))
  return errors.length > 0 ? fail('invalid_request', { errors }) : { ...body, ...query }
}

function namesOf(search: ContextSearch): string[] {
  return Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Selects the documents of a search, the latest ones first unless the search has another order. */
export function selectionOf({ filter: where = [], sort = '-ts', limit = 20, continuationToken: token }: ContextSearch) {
  const order: readonly Order[] = [
    { field: 'lastSeen', type: 'number', descending: sort === '-ts' },
    { field: 'key', type: 'text' },
  ]
  return { where, order, limit, offset: token === undefined ? 0 : Number(token) }
}

/** The page of the contexts of an environment that a search returns. */
export interface FoundContexts<Document> {
  readonly environment: Environment
  readonly found: { readonly items: readonly Document[]; readonly total: number }
  readonly offset: number
  readonly limit: number
  readonly includeTotalCount: boolean
}

/** Returns a page of search results, with the link and the token of the next page if there is one. */
export function serializeFound<Document, Item>(
  { url }: Pick<ReadContext, 'url'>,
  { environment, found, offset, limit, includeTotalCount }: FoundContexts<Document>,
  serialize: (document: Document) => Item,
) {
  const part = {
    _environmentId: environment.id,
    items: found.items.map(serialize),
    ...(includeTotalCount ? { totalCount: found.total } : {}),
  }
  const links: Record<string, Link> = { self: linkTo(url) }
  if (offset + limit >= found.total) return { ...part, _links: links }
  const continuationToken = String(offset + limit)
  return { ...part, continuationToken, _links: { ...links, next: linkTo(withQuery(url, { continuationToken })) } }
}
